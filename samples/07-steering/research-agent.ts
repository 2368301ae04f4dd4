import { Agent, AgentConfig, ContextUpdate, Param, Tool, ToolContext, ToolResult } from 'toolwright';

@AgentConfig({ instructions: 'You collect notes about a subject.', limits: { maxTurns: 6 } })
export class ResearchAgent extends Agent {
  @Tool('Keeps a note for later.')
  keepNote(@Param('text') text: string, context: ToolContext) {
    const notes = (context.state['notes'] as readonly string[] | undefined) ?? [];
    context.update({ notes: notes.length + 1 });
    return ToolResult.update(ContextUpdate.of().append('notes', text), 'Noted.');
  }
}

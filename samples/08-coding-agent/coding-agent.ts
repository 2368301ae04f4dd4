import { Agent, AgentConfig, toolset, ToolContext } from 'toolwright';
import { FileTools, ShellTools, TodoTools } from 'toolwright/toolsets';

/** What each run is given: the repository to work on. */
export interface CodingDeps {
  readonly repository: string;
}

const repository = (context: ToolContext<CodingDeps>): string => context.deps.repository;
const files = FileTools.at(repository);

/** Works on a repository: reads, plans, edits, and runs its checks. Every change and every command is shown to a person first. */
@AgentConfig({
  instructions:
    'You work on a repository. Read before you change; plan work of several steps as todos; make small edits; run the checks after each; say what you did.',
  toolsets: [
    toolset(files).without('write_file', 'edit_file'),
    toolset(files).only('write_file', 'edit_file').configured({ requiresApproval: true }),
    ShellTools.at(repository, { programs: ['node', 'npm', 'git'] }),
    TodoTools,
  ],
  limits: { maxTurns: 40 },
})
export class CodingAgent extends Agent<string, CodingDeps> {}

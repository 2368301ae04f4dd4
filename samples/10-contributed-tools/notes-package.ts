import { Service } from 'typedi';
import { Param, Tool, Toolset, type ToolRegistry } from 'toolwright';

/** What a package brings: it knows of no agent, and no agent needs to import its tools. */
@Service()
@Toolset({ prefix: 'notes_', instructions: 'Notes are short; one thought each.' })
export class NotesTools {
  private readonly notes: string[] = [];

  @Tool({ description: 'All notes.', annotations: { readOnly: true, openWorld: false } })
  list() {
    return this.notes;
  }

  @Tool({ description: 'Writes a note.', annotations: { openWorld: false } })
  add(@Param('text', 'What to remember') text: string) {
    this.notes.push(text);
    return `Noted. There are ${this.notes.length} now.`;
  }
}

/** A package has one such function, or calls `defaultRegistry.register` when it is imported. */
export function registerNotes(registry: ToolRegistry): void {
  registry.register('acme-notes', NotesTools, { owner: 'acme-notes' });
}

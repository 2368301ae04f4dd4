import { Service } from 'typedi';
import { Agent, AgentConfig, Param, Tool, agentTool } from 'toolwright';

@Service()
export class Library {
  private readonly pages = new Map([
    ['whales', 'Blue whales eat krill, up to four tonnes a day.'],
    ['krill', 'Krill are small crustaceans of the open sea.'],
  ]);

  async search(word: string): Promise<string> {
    return this.pages.get(word.toLowerCase()) ?? 'Nothing found.';
  }
}

@AgentConfig({
  description: 'Looks one question up in the library and answers with what stands there.',
  instructions: 'You look things up. Answer in one sentence, from what you found.',
})
export class Researcher extends Agent {
  constructor(private readonly library: Library) {
    super();
  }

  // What others wrote is not to be believed: from here on, whatever changes things is asked about.
  @Tool({ description: 'Searches the library.', trust: 'untrusted', annotations: { readOnly: true, openWorld: false } })
  search(@Param('word', 'One word') word: string) {
    return this.library.search(word);
  }
}

@AgentConfig({
  description: 'Says what is wrong with a text.',
  instructions: 'You check texts. Name what is wrong, or say that all is well.',
})
export class Critic extends Agent {}

@Service()
export class Shelf {
  readonly reports: string[] = [];
}

/** Asks two researchers at once, has the text checked, and files it if a person agrees. */
@AgentConfig({
  instructions: 'You write short reports. Let facts be looked up, and have your text checked before you file it.',
  subagents: [Critic],
  tools: [agentTool(Researcher, { limits: { maxTurns: 4 }, maxCalls: 6 })],
  parallelToolCalls: true,
})
export class Editor extends Agent {
  constructor(private readonly shelf: Shelf) {
    super();
  }

  @Tool('Files a finished report.')
  file(@Param('text') text: string) {
    return this.shelf.reports.push(text);
  }
}

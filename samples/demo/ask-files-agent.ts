import { Agent, AgentConfig, Integer, Param, Tool, ToolContext, ToolResult } from 'toolwright';
import { Directory } from './directory';

/** What each run is given: the directory to ask about. */
export interface AskFilesDeps {
  readonly root: string;
}

const MOST_FILES = 200;
const MOST_LINES = 400;
const MOST_MATCHES = 40;

// What stands in files is not the host's word, and reading changes nothing and reaches nobody.
const READS = { trust: 'untrusted', annotations: { readOnly: true, openWorld: false } } as const;

@AgentConfig({
  instructions:
    'You answer questions about a directory of files. Look things up before you answer, and name the files that your answer comes from. Be brief.',
})
export class AskFilesAgent extends Agent<string, AskFilesDeps> {
  constructor(private readonly directory: Directory) {
    super();
  }

  @Tool({ ...READS, description: 'List the files of the directory, or of one folder in it.' })
  async listFiles(
    @Param('folder', { description: 'Folder, relative to the root, such as "docs"', default: '' }) folder: string = '',
    context: ToolContext<AskFilesDeps>,
  ) {
    const { files, total, whole } = await this.directory.list(context.deps.root, folder, MOST_FILES, context.signal);
    const uncounted = whole ? '' : 'There are more files than that. ';
    return ToolResult.partial(files, { total, ...(total > files.length ? { note: `${uncounted}Give a folder to see the others.` } : {}) });
  }

  @Tool({ ...READS, description: 'Read the lines of one file.' })
  async readFile(
    @Param('path', 'Path of the file, relative to the root, such as "docs/guide.md"') path: string,
    @Param('first_line', { type: Integer, description: 'Line number to begin with', default: 1, minimum: 1 }) firstLine: number = 1,
    context: ToolContext<AskFilesDeps>,
  ) {
    const { lines, total } = await this.directory.read(context.deps.root, path, firstLine, MOST_LINES);
    const rest = total - (firstLine - 1) - lines.length;
    return rest > 0 ? `${lines.join('\n')}\n... ${rest} more lines` : lines.join('\n');
  }

  @Tool({ ...READS, description: 'Search all files for a text, such as a name, and give the lines that contain or define it.' })
  async searchFiles(
    @Param('query', { description: 'Text to look for, as it is written in the files', minLength: 1 }) query: string,
    context: ToolContext<AskFilesDeps>,
  ) {
    const { matches, total, whole } = await this.directory.search(context.deps.root, query, MOST_MATCHES, context.signal);
    const note = whole ? undefined : 'There are too many files to search all of them; some were not read.';
    if (total === 0) return [`No file contains ${JSON.stringify(query)}.`, note].filter(Boolean).join(' ');
    const lines = matches.map(({ path, line, text }) => `${path}:${line}: ${text}`);
    return ToolResult.partial(lines, { total, ...(note === undefined ? {} : { note }) });
  }
}

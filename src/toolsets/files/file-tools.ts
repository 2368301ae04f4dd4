import { Ctx } from '../../decorators/ctx';
import { Param } from '../../decorators/param';
import { Preview } from '../../decorators/preview';
import { Tool } from '../../decorators/tool';
import { Toolset } from '../../decorators/toolset';
import { checkedOptions } from '../../errors/option-check';
import { ToolFailure } from '../../errors/tool-error';
import { UsageError } from '../../errors/usage-error';
import { ToolContext } from '../../tools/tool-context';
import { ToolResult } from '../../tools/tool-result';
import { Integer } from '../../types/type-spec';
import { classWith, settingsOf } from '../class-settings';
import { fileFailure, printable, quoted } from './file-failure';
import { FILE_RULES, fileSettings, rootOf, type FileOptions, type FileSettings, type Root } from './file-settings';
import { FileSystemAccess, type FileContent } from './file-system-access';
import { globMatcher } from './glob';
import { findLines } from './find-lines';
import { excerpt } from './excerpt';
import { readText, type TextContent } from './text-content';
import { editText } from './text-edit';
import { TreeWalk } from './tree-walk';
import { unifiedDiff } from './unified-diff';

const READS = { annotations: { readOnly: true, openWorld: false } } as const;
// One file is changed by one call at a time; a path with two spellings is caught by the check before it is replaced.
const CHANGES = { lock: ({ path }: { path: unknown }) => `file:${String(path)}`, timeout: 30_000, atomic: true } as const;
const MOST_ENTRIES = 500;
const MOST_FOUND = 200;
const MOST_LINES = 100;
// The model is told where it is, not what the host's own words are.
const OWN_WORDS = { trust: 'trusted' } as const;

/**
 * Files below one root: list, read, write, edit, find, search. What they hold is untrusted; nothing outside of the root is reached.
 *
 * List `FileTools.at('./workspace')`; a bare `FileTools` has no root and is an error at run start.
 */
@Toolset({
  trust: 'untrusted',
  tags: ['files'],
  instructions: 'The file tools work in one directory; give paths relative to it, such as "src/main.ts".',
})
export class FileTools {
  private readonly settings: FileSettings;

  constructor(private readonly files: FileSystemAccess) {
    const settings = settingsOf<FileSettings>(new.target);
    if (settings === undefined) throw new UsageError("FileTools has no directory. Write toolsets: [FileTools.at('./workspace')].");
    this.settings = settings;
  }

  /**
   * The toolset for one directory. Make it once, beside the agent; where each run has its own, give a function.
   *
   * @param root a directory that exists, or a function of the call's context
   * @throws UsageError for options that it does not know or that are wrong
   * @example toolsets: [FileTools.at((context: ToolContext<Deps>) => context.deps.workspace)]
   */
  static at(root: Root, options?: FileOptions): typeof FileTools {
    return classWith(this, fileSettings(root, checkedOptions(options, FILE_RULES, 'FileTools.at(…)')));
  }

  @Tool({ ...READS, description: 'List what a folder holds: names, types, sizes.' })
  async listFiles(
    @Param('path', { type: String, description: 'Folder, such as "src"', default: '.', aliases: ['folder', 'directory'] }) path: string,
    @Ctx() context: ToolContext,
  ) {
    const { entries, total } = await this.files.list(this.root(context), path, MOST_ENTRIES);
    const shown = entries.map(({ name, type, size }) => ({ name: printable(name), type, ...(size === undefined ? {} : { bytes: size }) }));
    return shown.length < total
      ? ToolResult.partial(shown, { total, note: 'Use find_files with a pattern to see the others.' })
      : ToolResult.success(shown);
  }

  @Tool({ ...READS, description: 'Read a text file, whole or some of its lines. A long file is given in pieces of whole lines.' })
  async readFile(
    @Param('path', { type: String, description: 'File, such as "src/main.ts"', aliases: ['file', 'file_path'] }) path: string,
    @Param('first_line', { type: Integer, description: 'First line wanted, from 1', minimum: 1, default: 1 }) firstLine: number,
    @Param('last_line', { type: Integer, description: 'Last line wanted; to the end if left out', minimum: 1, optional: true })
    lastLine: number | undefined,
    @Ctx() context: ToolContext,
  ) {
    const { text, path: shown } = await this.text(path, context);
    return ToolResult.content(excerpt(text.text, shown, firstLine, lastLine));
  }

  @Tool({
    ...CHANGES,
    description: 'Write a whole text file; makes it, and its folders, or replaces what it held. To change a part, use edit_file.',
    annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    retries: 0,
  })
  async writeFile(
    @Param('path', { type: String, description: 'File, such as "src/main.ts"', aliases: ['file', 'file_path'] }) path: string,
    @Param('content', { type: String, description: 'All that the file is to hold', aliases: ['text', 'contents'] }) content: string,
    @Ctx() context: ToolContext,
  ) {
    const bytes = Buffer.from(content.toWellFormed(), 'utf8');
    if (bytes.length > this.settings.maxFileBytes) throw new ToolFailure(`At most ${this.settings.maxFileBytes} bytes can be written.`);
    const { path: shown, created } = await this.files.write(this.root(context), path, bytes, { hardLinks: this.settings.hardLinks });
    const verb = created ? 'Created' : 'Replaced';
    return ToolResult.content(`${verb} ${quoted(shown)} (${bytes.length} bytes).`, { ...OWN_WORDS, effects: [{ wrote: shown, created }] });
  }

  @Preview('writeFile')
  async previewWrite(path: string, content: string, context: ToolContext): Promise<string> {
    const before = await this.before(path, context);
    return unifiedDiff(printable(path), before, content.toWellFormed()) || 'The file already holds exactly this.';
  }

  @Tool({
    ...CHANGES,
    description: 'Replace a passage of a text file. The passage must stand exactly once, with its white space, unless replace_all is set.',
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  })
  async editFile(
    @Param('path', { type: String, description: 'File, such as "src/main.ts"', aliases: ['file', 'file_path'] }) path: string,
    @Param('old_text', { type: String, description: 'The passage as it stands in the file', minLength: 1, aliases: ['old_string'] })
    oldText: string,
    @Param('new_text', { type: String, description: 'What is to stand there instead', aliases: ['new_string'] }) newText: string,
    @Param('replace_all', { type: Boolean, description: 'Whether to replace it everywhere', default: false }) replaceAll: boolean,
    @Ctx() context: ToolContext,
  ) {
    const { text, path: shown, stamp } = await this.text(path, context);
    const edited = editText(text.text, oldText, newText.toWellFormed(), replaceAll, shown);
    const bytes = text.encode(edited.text);
    if (bytes.length > this.settings.maxFileBytes) throw new ToolFailure(`At most ${this.settings.maxFileBytes} bytes can be written.`);
    await this.files.write(this.root(context), path, bytes, { expected: stamp, hardLinks: this.settings.hardLinks });
    const times = edited.replacements === 1 ? 'in one place' : `in ${edited.replacements} places`;
    return ToolResult.content(`Edited ${quoted(shown)} ${times}.`, { ...OWN_WORDS, effects: [{ edited: shown }] });
  }

  @Preview('editFile')
  async previewEdit(path: string, oldText: string, newText: string, replaceAll: boolean, context: ToolContext): Promise<string> {
    const { text, path: shown } = await this.text(path, context);
    return unifiedDiff(printable(shown), text.text, editText(text.text, oldText, newText.toWellFormed(), replaceAll, shown).text);
  }

  @Tool({ ...READS, description: 'Find files by name: "*.ts" in any folder, "src/**/*.test.ts", "docs/{guide,faq}.md".' })
  async findFiles(
    @Param('pattern', { type: String, description: 'Pattern of * ? ** [a-z] {a,b}', minLength: 1, aliases: ['glob'] }) pattern: string,
    @Param('path', { type: String, description: 'Folder to look in', default: '.', aliases: ['folder', 'directory'] }) path: string,
    @Ctx() context: ToolContext,
  ) {
    const fits = globMatcher(pattern);
    const walk = this.walk(path, context);
    const found: string[] = [];
    let total = 0;
    for await (const entry of walk) {
      const below = entry.path.slice(walk.start === '' ? 0 : walk.start.length + 1);
      if (entry.type !== 'file' || !(fits(below) || fits(entry.path))) continue;
      if (++total <= MOST_FOUND) found.push(printable(entry.path));
    }
    return this.found(found, total, walk.cut, 'Give a narrower pattern, or a folder.');
  }

  @Tool({ ...READS, description: 'Search the text files for a text, and give the lines that contain it.' })
  async searchFiles(
    @Param('query', { type: String, description: 'Text to look for, as it stands in the files', minLength: 1, aliases: ['text'] })
    query: string,
    @Param('path', { type: String, description: 'Folder to look in', default: '.', aliases: ['folder', 'directory'] }) path: string,
    @Param('pattern', { type: String, description: 'Only in files with such names, such as "*.ts"', optional: true, aliases: ['glob'] })
    pattern: string | undefined,
    @Param('match_case', { type: Boolean, description: 'Whether capital letters matter', default: false }) matchCase: boolean,
    @Ctx() context: ToolContext,
  ) {
    const fits = pattern === undefined ? undefined : globMatcher(pattern);
    const { lines, total, cut } = await findLines(this.files, this.root(context), this.walk(path, context), query, {
      matchCase,
      fits,
      most: MOST_LINES,
      hardLinks: this.settings.hardLinks,
      signal: context.signal,
    });
    return this.found(lines, total, cut, 'Give a longer text, a pattern, or a folder.');
  }

  private root(context: ToolContext): string {
    return rootOf(this.settings.root, context);
  }

  private walk(path: string, context: ToolContext): TreeWalk {
    return new TreeWalk(this.files, this.root(context), path, { skip: this.settings.skip, signal: context.signal });
  }

  private found(items: readonly string[], total: number, cut: boolean, note: string) {
    if (items.length === total && !cut) return ToolResult.success(items, total === 0 ? { message: 'Nothing found.' } : {});
    return ToolResult.partial(items, { total, note: cut ? `Not everything was searched. ${note}` : note });
  }

  private async text(path: string, context: ToolContext): Promise<Omit<FileContent, 'bytes'> & { readonly text: TextContent }> {
    const { maxFileBytes, hardLinks } = this.settings;
    const { bytes, path: shown, stamp } = await this.files.read(this.root(context), path, { maxBytes: maxFileBytes, hardLinks });
    const text = readText(bytes);
    if (text === undefined) throw fileFailure('binary', shown, 'It is binary, or in an encoding that is not known.');
    return { path: shown, stamp, text };
  }

  /** What stands where a file is to be written. */
  private async before(path: string, context: ToolContext): Promise<string | undefined> {
    try {
      return (await this.text(path, context)).text.text;
    } catch (error) {
      if (error instanceof ToolFailure && (error.details as { fault?: unknown } | undefined)?.fault === 'missing') return undefined;
      throw error;
    }
  }
}

import { stripVTControlCharacters } from 'node:util';
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
import { Integer, arrayOf } from '../../types/type-spec';
import { classWith, settingsOf } from '../class-settings';
import { printable } from '../files/file-failure';
import { rootOf, type Root } from '../files/file-settings';
import { FileSystemAccess } from '../files/file-system-access';
import { OutputWindow } from './output-window';
import { ProcessRunner, type ProcessOutcome } from './process-runner';
import { commandEnvironment, isShell, SHELL_RULES, shellSettings, type ShellOptions, type ShellSettings } from './shell-settings';
import { UpdateStream } from './update-stream';

const DEFAULT_SECONDS = 120;
const MOST_ARGUMENTS = 1_000;
const LONGEST_ARGUMENT = 100_000;
/** Characters of the output that the model is given: how it began, and how it ended. */
const FIRST = 6_000;
const LAST = 12_000;

/**
 * One tool that runs programs in a directory below a root. It always needs approval, its output is untrusted, and nothing that it starts is left
 * when its call has ended.
 *
 * The root bounds where a command begins, not what it may do: a program can reach whatever its user can.
 */
@Toolset({ trust: 'untrusted', tags: ['shell'] })
export class ShellTools {
  private readonly settings: ShellSettings;

  constructor(
    private readonly processes: ProcessRunner,
    private readonly files: FileSystemAccess,
  ) {
    const settings = settingsOf<ShellSettings>(new.target);
    if (settings === undefined) throw new UsageError("ShellTools has no directory. Write toolsets: [ShellTools.at('./workspace')].");
    this.settings = settings;
  }

  /**
   * The toolset for one directory. Make it once, beside the agent; where each run has its own, give a function.
   *
   * @param root a directory that exists, or a function of the call's context
   * @throws UsageError for options that it does not know or that are wrong
   * @example toolsets: [ShellTools.at('./workspace', { programs: ['git', 'npm'], env: ['GIT_AUTHOR_NAME'] })]
   */
  static at(root: Root, options?: ShellOptions): typeof ShellTools {
    return classWith(this, shellSettings(root, checkedOptions(options, SHELL_RULES, 'ShellTools.at(…)')));
  }

  @Tool({
    description:
      'Run a program and give its exit code and output. The command is a list of the program and each of its arguments, such as ["git", "log", "-3"]; there is no shell, so no pipes, no variables, no wildcards.',
    requiresApproval: true,
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    // Longer than any command may take: the command's own time is kept here, where its output can still be told.
    timeout: 630_000,
  })
  async runCommand(
    @Param('command', { type: arrayOf(String), description: 'The program, then its arguments', minItems: 1, maxItems: MOST_ARGUMENTS })
    command: string[],
    @Param('cwd', { type: String, description: 'Folder to run it in', default: '.', aliases: ['directory', 'folder'] }) cwd: string,
    @Param('timeout_seconds', { type: Integer, description: 'Time it may take', minimum: 1, maximum: 600, default: DEFAULT_SECONDS })
    timeoutSeconds: number,
    @Ctx() context: ToolContext,
  ) {
    this.check(command);
    const seconds = this.seconds(timeoutSeconds);
    const output = new OutputWindow(FIRST, LAST);
    const updates = new UpdateStream((text) => context.update({ output: text }));
    const startedAt = performance.now();
    try {
      const outcome = await this.files.within(rootOf(this.settings.root, context), cwd, (directory) =>
        this.processes.run({
          command,
          cwd: directory.path,
          env: commandEnvironment(this.settings),
          timeout: seconds * 1_000,
          signal: context.signal,
          onOutput(text) {
            const plain = stripVTControlCharacters(text);
            output.add(plain);
            updates.add(plain);
          },
        }),
      );
      const took = (performance.now() - startedAt) / 1_000;
      return ToolResult.content(`${endOf(outcome, seconds, took)}\n${output.text() || '[no output]'}`, {
        details: { command, cwd, ...outcome, durationMs: Math.round(took * 1_000) },
        effects: [{ ran: command }],
      });
    } finally {
      updates.end();
    }
  }

  @Preview('runCommand')
  previewCommand(command: string[], cwd: string, timeoutSeconds: number): string {
    this.check(command);
    const folder = cwd === '.' || cwd === '' ? '' : `cd ${quotedForShell(cwd)} && `;
    return `${folder}${command.map(quotedForShell).join(' ')}   (at most ${this.seconds(timeoutSeconds)} s)`;
  }

  private seconds(asked: number): number {
    return Math.min(asked, this.settings.maxSeconds);
  }

  private check(command: readonly string[]): void {
    const [program = ''] = command;
    const { programs, shell } = this.settings;
    if (program.trim() === '') throw new ToolFailure('The first item of `command` must name a program.');
    if (command.some((argument) => argument.includes('\0') || argument.length > LONGEST_ARGUMENT))
      throw new ToolFailure(`An argument has at most ${LONGEST_ARGUMENT} characters, and no zero character.`);
    if (programs !== undefined && !programs.has(program))
      throw new ToolFailure(`${JSON.stringify(program)} may not be run here. What may: ${[...programs].join(', ')}.`);
    if (!shell && programs === undefined && isShell(program))
      throw new ToolFailure(
        'There is no shell here. Give the program itself and its arguments; use several calls instead of pipes and &&.',
      );
    if (command.length === 1 && /\s/.test(program))
      throw new ToolFailure(`${JSON.stringify(program)} is one text. Give the program and each argument as items of the list.`);
  }
}

function endOf({ exitCode, signal, ended }: ProcessOutcome, seconds: number, took: number): string {
  const time = `${took.toFixed(1)} s`;
  if (ended === 'timeout') return `[ended after ${seconds} s: its time was up]`;
  if (ended === 'output') return `[ended after ${time}: it wrote too much]`;
  return exitCode === null ? `[ended by ${signal ?? 'a signal'} after ${time}]` : `[exit code ${exitCode}, ${time}]`;
}

/** As one would type it, for people. */
function quotedForShell(argument: string): string {
  const text = printable(argument);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

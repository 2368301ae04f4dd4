import { spawn, type ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import { ToolFailure } from '../../errors/tool-error';
import { Injectable } from '../injectable';
import { ProcessFence } from './process-fence';

/** A program to run, and within which bounds. */
export interface ProcessRequest {
  /** The program and its arguments; nothing in them is expanded. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds after which it is asked to end, and then ended. */
  readonly timeout: number;
  /** Ends it at once. */
  readonly signal: AbortSignal;
  /** Given what it writes to either output, as it comes. */
  onOutput(text: string): void;
}

/** How a program ended. */
export interface ProcessOutcome {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why it was ended, where it did not end by itself. */
  readonly ended?: 'timeout' | 'output';
}

/** Between the request to end and the end, in milliseconds. */
const GRACE = 1_000;
/** After the program has ended: for what it still has in its pipes. Milliseconds. */
const LAST_WORDS = 250;
/** Bytes of output after which nobody reads on. */
const MOST_OUTPUT = 100_000_000;

/** Starts programs, and sees to it that nothing of them is left. Replace it to run commands elsewhere, such as in a container. */
@Injectable()
export class ProcessRunner {
  /**
   * Runs a program to its end. When the promise settles, no process that it started is left.
   * @throws ToolFailure when it cannot be started; the signal's reason when that aborts
   */
  async run(request: ProcessRequest): Promise<ProcessOutcome> {
    request.signal.throwIfAborted();
    const fence = new ProcessFence();
    const child = started(request, fence);
    if (child.pid !== undefined) fence.started(child.pid);
    return new RunningProcess(child, fence, request).outcome();
  }
}

function started({ command: [program = '', ...args], cwd, env }: ProcessRequest, fence: ProcessFence): ChildProcess {
  try {
    return spawn(program, args, {
      cwd,
      env: { ...env, ...fence.environment },
      // Its own group and session, so that all of it can be ended, and it has no terminal to ask.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
  } catch (error) {
    // Some reasons are thrown at once, others come as an event.
    throw notStarted(program, error as NodeJS.ErrnoException);
  }
}

const REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'there is no such program'],
  ['ENOTDIR', 'there is no such program'],
  ['EACCES', 'it may not be run'],
  ['E2BIG', 'its arguments are too long for this system. Put them into a file, or use several calls'],
]);

function notStarted(program: string, { code }: NodeJS.ErrnoException): ToolFailure {
  return new ToolFailure(`${JSON.stringify(program)} could not be started: ${REASONS.get(code) ?? code ?? 'unknown'}.`);
}

class RunningProcess {
  private ended: ProcessOutcome['ended'];
  private written = 0;

  constructor(
    private readonly child: ChildProcess,
    private readonly fence: ProcessFence,
    private readonly request: ProcessRequest,
  ) {}

  async outcome(): Promise<ProcessOutcome> {
    const { child, fence, request } = this;
    const abort = (): void => fence.kill();
    request.signal.addEventListener('abort', abort, { once: true });
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    let grace: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => {
      this.ended ??= 'timeout';
      fence.terminate();
      grace = setTimeout(abort, GRACE);
    }, request.timeout);
    this.listen(child.stdout);
    this.listen(child.stderr);
    try {
      const { exitCode, signal } = await ending(child, request.command[0] ?? '');
      await fence.end();
      await within(LAST_WORDS, closed);
      request.signal.throwIfAborted();
      return { exitCode, signal, ...(this.ended === undefined ? {} : { ended: this.ended }) };
    } finally {
      clearTimeout(timer);
      clearTimeout(grace);
      request.signal.removeEventListener('abort', abort);
      child.stdout?.destroy();
      child.stderr?.destroy();
    }
  }

  private listen(stream: Readable | null): void {
    const decoder = new StringDecoder('utf8');
    stream?.on('error', () => undefined);
    stream?.on('data', (bytes: Buffer) => {
      this.written += bytes.length;
      if (this.written > MOST_OUTPUT) {
        this.ended ??= 'output';
        this.fence.kill();
        return;
      }
      const text = decoder.write(bytes);
      if (text !== '') this.request.onOutput(text);
    });
    stream?.on('end', () => {
      const rest = decoder.end();
      if (rest !== '') this.request.onOutput(rest);
    });
  }
}

function ending(child: ChildProcess, program: string): Promise<Pick<ProcessOutcome, 'exitCode' | 'signal'>> {
  return new Promise((resolve, reject) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    child.once('error', (error) => reject(notStarted(program, error)));
  });
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}

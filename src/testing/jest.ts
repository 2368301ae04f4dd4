import type { Outcome } from '../types/outcome';
import type { StopReason } from '../types/run-result';
import type { Message } from '../types/message';
import type { AgentClass } from '../agent/agent';
import type { ModelRequest } from '../models/model';
import { agentContract } from './agent-contract';
import { CheckError } from './check-error';
import {
  calledToolFault,
  calledToolsFault,
  outcomeFault,
  stopReasonFault,
  validTranscriptFault,
  type CheckedRun,
  type ExpectedCall,
  type Fault,
} from './checks';
import { assertNoRealRequests, forbidRealRequests } from './real-requests';
import { assertScriptsFinished, watchScripts } from './script-ledger';
import { transcriptText } from './transcript-text';

/** The matchers that this file adds to Jest's `expect`; list it in `setupFilesAfterEnv`. */
export interface ToolwrightMatchers<R = unknown> {
  /** The run called the tool, with at least these arguments where some are given. */
  toHaveCalledTool(name: string, args?: unknown): R;
  /** The run called exactly these tools, in this order. */
  toHaveCalledTools(calls: readonly ExpectedCall[]): R;
  toHaveStopReason(reason: StopReason): R;
  /** A call of the tool ended so. */
  toHaveOutcome(tool: string, outcome: Outcome): R;
  /** Each call has exactly one adjacent result. */
  toHaveValidTranscript(): R;
  /** The names, descriptions and schemas of an agent's class, or of a request, are those of the stored snapshot. */
  toMatchContract(): R;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace jest {
    // The parameters must be those of @types/jest.
    // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type
    interface Matchers<R, T = {}> extends ToolwrightMatchers<R> {}
  }
}

/** What of Jest's globals is used here; typed by shape, so that the typings need no `@types/jest`. */
interface JestGlobals {
  readonly expect: {
    extend(matchers: object): void;
    /** `suppressedErrors` are those that snapshots keep back until the test is over. */
    getState(): { readonly currentTestName?: string; readonly suppressedErrors: Error[] };
    (value: unknown): { toMatchSnapshot(): void };
  };
  readonly beforeEach: (hook: () => void) => void;
  readonly afterEach: (hook: () => void) => void;
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

const { expect, beforeEach, afterEach } = globalThis as unknown as JestGlobals;

expect.extend({
  toHaveCalledTool: (run: CheckedRun, name: string, args?: unknown) => verdict(run, calledToolFault(run, name, args), `a call of ${name}`),
  toHaveCalledTools: (run: CheckedRun, calls: readonly ExpectedCall[]) => verdict(run, calledToolsFault(run, calls), 'exactly these calls'),
  toHaveStopReason: (run: CheckedRun, reason: StopReason) => verdict(run, stopReasonFault(run, reason), `the stop reason ${reason}`),
  toHaveOutcome: (run: CheckedRun, tool: string, outcome: Outcome) =>
    verdict(run, outcomeFault(run, tool, outcome), `${tool} to end with ${outcome}`),
  toHaveValidTranscript: (subject: CheckedRun | readonly Message[]) =>
    verdict(subject, validTranscriptFault(subject), 'a valid transcript'),
  toMatchContract(this: { readonly isNot?: boolean }, subject: AgentClass | ModelRequest): Verdict {
    // As for any snapshot: the one that is missing would be written, whatever it is.
    if (this.isNot === true) throw new CheckError('toMatchContract cannot be used with `not`.');
    const { suppressedErrors } = expect.getState();
    const before = suppressedErrors.length;
    expect(agentContract(subject)).toMatchSnapshot();
    const [difference] = suppressedErrors.splice(before);
    return { pass: difference === undefined, message: () => difference?.message ?? '' };
  },
});

forbidRealRequests(() => expect.getState().currentTestName);
beforeEach(watchScripts);
afterEach(() => {
  assertNoRealRequests();
  assertScriptsFinished();
});

function verdict(subject: CheckedRun | readonly Message[], fault: Fault, what: string): Verdict {
  if (fault !== undefined) return { pass: false, message: () => fault };
  const messages = 'messages' in subject ? subject.messages : subject;
  return { pass: true, message: () => `Expected not to find ${what}. The transcript:\n${transcriptText(messages)}` };
}

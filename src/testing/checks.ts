import type { Message } from '../types/message';
import type { Outcome } from '../types/outcome';
import type { RunFacts, StopReason, ToolCallRecord } from '../types/run-result';
import { CheckError } from './check-error';
import { isSubset } from './subset';
import { transcriptFaults } from './transcript-faults';
import { jsonText, transcriptText } from './transcript-text';

/** A result of a run, or a run error's `partial`. */
export type CheckedRun = Pick<RunFacts, 'toolCalls' | 'messages'> & { readonly stopReason?: StopReason };

/** A tool's name, or its name and arguments that it must at least have. */
export type ExpectedCall = string | readonly [name: string, args?: unknown];

/** What is wrong, or `undefined`. The matchers and the plain functions share these. */
export type Fault = string | undefined;

export function calledToolFault(run: CheckedRun, name: string, args?: unknown): Fault {
  if (run.toolCalls.some((call) => fits(call, [name, args]))) return undefined;
  return `Expected a call: ${callText(name, args)}\n${callsText(run)}`;
}

export function calledToolsFault(run: CheckedRun, expected: readonly ExpectedCall[]): Fault {
  const calls = run.toolCalls;
  if (calls.length === expected.length && expected.every((one, at) => fits(calls[at] as ToolCallRecord, one))) return undefined;
  const rows = Array.from({ length: Math.max(calls.length, expected.length) }, (_, at) => {
    const wanted = expected[at] === undefined ? '(none)' : expectedText(expected[at]);
    const call = calls[at];
    const got = call === undefined ? '(none)' : callText(call.name, call.arguments);
    const same = call !== undefined && expected[at] !== undefined && fits(call, expected[at]);
    return [`${same ? ' ' : '!'} ${at + 1}. ${wanted}`, got] as const;
  });
  const width = Math.min(70, Math.max(8, ...rows.map(([left]) => left.length)));
  return [`  ${'Expected'.padEnd(width - 2)} | Called`, ...rows.map(([left, right]) => `${left.padEnd(width)} | ${right}`)].join('\n');
}

export function stopReasonFault(run: CheckedRun, expected: StopReason): Fault {
  if (run.stopReason === expected) return undefined;
  return `Expected the run to end as ${expected}; it ended as ${run.stopReason ?? 'a failure'}.\nThe transcript:\n${transcriptText(run.messages)}`;
}

export function outcomeFault(run: CheckedRun, tool: string, expected: Outcome): Fault {
  const calls = run.toolCalls.filter((call) => call.name === tool);
  if (calls.some((call) => call.outcome === expected)) return undefined;
  return `Expected ${tool} to end with ${expected}.\n${callsText(run)}`;
}

export function validTranscriptFault(subject: CheckedRun | readonly Message[]): Fault {
  const messages = 'messages' in subject ? subject.messages : subject;
  const faults = transcriptFaults(messages);
  return faults.length === 0
    ? undefined
    : `The transcript is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}\n${transcriptText(messages)}`;
}

/**
 * Checks that the run called the tool, with at least these arguments where some are given.
 * @throws CheckError with what was called instead
 * @example assertCalledTool(result, 'current_weather', { city: 'Oslo' });
 */
export function assertCalledTool(run: CheckedRun, name: string, args?: unknown): void {
  check(calledToolFault(run, name, args));
}

/**
 * Checks that the run did not call the tool.
 * @throws CheckError with what was called
 * @example assertNotCalledTool(result, 'send_mail');
 */
export function assertNotCalledTool(run: CheckedRun, name: string): void {
  check(run.toolCalls.some((call) => call.name === name) ? `Expected no call of ${name}.\n${callsText(run)}` : undefined);
}

/**
 * Checks that the run called exactly these tools, in this order.
 * @throws CheckError with both lists side by side
 * @example assertCalledTools(result, ['search', ['read_file', { path: 'a.md' }]]);
 */
export function assertCalledTools(run: CheckedRun, expected: readonly ExpectedCall[]): void {
  check(calledToolsFault(run, expected));
}

/**
 * Checks why the run ended.
 * @throws CheckError with the transcript
 * @example assertStopReason(result, 'completed');
 */
export function assertStopReason(run: CheckedRun, expected: StopReason): void {
  check(stopReasonFault(run, expected));
}

/**
 * Checks that a call of the tool ended so.
 * @throws CheckError with what was called, and how it ended
 * @example assertOutcome(result, 'send_mail', 'denied');
 */
export function assertOutcome(run: CheckedRun, tool: string, expected: Outcome): void {
  check(outcomeFault(run, tool, expected));
}

/**
 * Checks that each call has exactly one adjacent result.
 * @throws CheckError with everything that is wrong with the transcript
 * @example assertValidTranscript(result.messages);
 */
export function assertValidTranscript(subject: CheckedRun | readonly Message[]): void {
  check(validTranscriptFault(subject));
}

function check(fault: Fault): void {
  if (fault !== undefined) throw new CheckError(fault);
}

function fits(call: ToolCallRecord, expected: ExpectedCall): boolean {
  const [name, args] = typeof expected === 'string' ? [expected] : expected;
  return call.name === name && (args === undefined || isSubset(args, call.arguments));
}

function callsText(run: CheckedRun): string {
  if (run.toolCalls.length === 0) return `No tool was called. The transcript:\n${transcriptText(run.messages)}`;
  return [
    'Called:',
    ...run.toolCalls.map(
      (call, at) =>
        `  ${at + 1}. ${callText(call.name, call.arguments)} -> ${call.outcome}${call.reason === undefined ? '' : ` (${call.reason})`}`,
    ),
  ].join('\n');
}

function expectedText(expected: ExpectedCall): string {
  return typeof expected === 'string' ? expected : callText(expected[0], expected[1]);
}

function callText(name: string, args: unknown): string {
  return args === undefined ? name : `${name}(${jsonText(args)})`;
}

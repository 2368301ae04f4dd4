import { isRecord, shown } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import type { Model, ModelCapabilities } from '../models/model';
import type { Environment } from '../types/environment';
import type { ChangedAnswer, RecordedStep, RunRecord } from '../types/run-record';
import type { Answer } from './answer/collect-answer';
import { Replayer } from './recording/replayer';
import type { RunOptions } from './run-options';

/** What a replay is given: what the record cannot hold, since it is code. */
export type ReplayOptions<Deps = unknown> = Pick<RunOptions<Deps>, 'deps' | 'hooks' | 'toolsets' | 'instructions' | 'onEvent' | 'signal'>;

/** What a branch is given: where it leaves the record, with which answer, and what it goes on with. */
export interface BranchOptions<Deps = unknown> extends Omit<RunOptions<Deps>, 'messages' | 'continueFrom' | 'state' | 'session'> {
  /** The request, from 1, whose answer is another. */
  readonly turn: number;
  readonly answer: ChangedAnswer | string;
}

/** `deps` must be given exactly when the agent's type asks for some. */
export type ReplayArguments<Deps> = undefined extends Deps
  ? [options?: ReplayOptions<Deps>]
  : unknown extends Deps
    ? [options?: ReplayOptions<Deps>]
    : [options: ReplayOptions<Deps> & { readonly deps: Deps }];

/** `deps` must be given exactly when the agent's type asks for some. */
export type BranchArguments<Deps> = undefined extends Deps
  ? [options: BranchOptions<Deps>]
  : unknown extends Deps
    ? [options: BranchOptions<Deps>]
    : [options: BranchOptions<Deps> & { readonly deps: Deps }];

/** A run from a record, ready to start. */
export interface Rerun {
  readonly tape: Replayer;
  readonly runId: string | undefined;
  readonly input: RunRecord['start']['input'];
  readonly options: object;
}

/** @throws UsageError when the value is no record that this version reads */
export function replayOf(value: unknown, options: object | undefined): Rerun {
  const record = checkRecord(value);
  const { start, runId } = record;
  return {
    tape: new Replayer(record),
    runId,
    input: start.input,
    options: { ...startOptions(record), model: silentModel(record), ...options },
  };
}

/** @throws UsageError when the value is no record, or has no such turn */
export function branchOf(value: unknown, given: unknown, real: Environment): Rerun {
  const record = checkRecord(value);
  if (!isRecord(given)) throw new UsageError("A branch says where it leaves the record: `{ turn: 2, answer: { text: '…' } }`.");
  const { turn, answer, ...options } = given;
  const at = record.steps.findLastIndex((step) => turnOf(step) === turn && isRecord(step.outcome) && 'answer' in step.outcome);
  if (at < 0) {
    const turns = new Set(record.steps.map(turnOf).filter((known) => typeof known === 'number'));
    throw new UsageError(
      `The record has no answer in turn ${shown(turn)} that could be another. It has: ${[...turns].join(', ') || 'none'}.`,
    );
  }
  const tape = new Replayer(record, { at, outcome: { answer: answerFrom(answer) }, real });
  return { tape, runId: undefined, input: record.start.input, options: { ...startOptions(record), ...options } };
}

function checkRecord(value: unknown): RunRecord {
  if (!isRecord(value) || !isRecord(value['start']) || !Array.isArray(value['steps']) || !Array.isArray(value['ids']))
    throw new UsageError('This is no record of a run: take what the option `record` of a run was given.');
  if (value['v'] !== 1) throw new UsageError(`This record is of version ${shown(value['v'])}; this package reads version 1.`);
  return value as unknown as RunRecord;
}

function startOptions({ start }: RunRecord): object {
  const { history, state, metadata, options } = start;
  return { ...options, messages: history, state, metadata };
}

/** Stands in for the model that was asked: it can do the same, and is not asked again. */
function silentModel({ model, capabilities }: RunRecord): Model {
  return {
    name: model,
    capabilities: capabilities as unknown as ModelCapabilities,
    stream: () => {
      throw new Error('A replay asks no model.');
    },
  };
}

const turnOf = ({ name, about }: RecordedStep): unknown => (name === 'model' && isRecord(about) ? about['turn'] : undefined);

function answerFrom(answer: unknown): Answer {
  const { text = '', calls = [], ...rest } = (typeof answer === 'string' ? { text: answer } : answer) as ChangedAnswer;
  if (typeof text !== 'string' || !Array.isArray(calls) || Object.keys(rest).length > 0)
    throw new UsageError("The `answer` of a branch is a text, or { text?: '…', calls?: [{ name: '…', arguments: { … } }] }.");
  return {
    text,
    reasoning: '',
    refusal: '',
    calls: calls.map((call: NonNullable<ChangedAnswer['calls']>[number]) => ({
      id: undefined,
      name: String(call?.name),
      arguments: typeof call?.arguments === 'string' ? call.arguments : JSON.stringify(call?.arguments ?? {}),
    })),
    finish: calls.length > 0 ? 'tool_calls' : 'stop',
    usage: undefined,
    extra: undefined,
  };
}

import type { CallResult, ReadyCall, RequestedCall } from '../../src/invocation/call';
import type { CallScope } from '../../src/invocation/call-scope';
import { executeCall, finishCall, prepareCall } from '../../src/invocation/gate';
import { Locks } from '../../src/invocation/locks';
import { ResultCache } from '../../src/invocation/result-cache';
import { Throttle } from '../../src/invocation/throttle';
import type { Contract, Decoded } from '../../src/schema/contract';
import type { ToolContext } from '../../src/tools/tool-context';
import type { BoundTool, ToolDefinition } from '../../src/tools/tool-definition';
import type { ToolBehaviour } from '../../src/tools/tool-options';
import type { Environment } from '../../src/types/environment';
import type { EventBody } from '../../src/types/run-event';
import { NO_USAGE } from '../../src/types/usage';

/** A contract that takes any object as it is. */
export const anything: Contract = {
  schema: { type: 'object' },
  strict: undefined,
  strictObstacle: undefined,
  decode: (value): Decoded => ({ ok: true, value: structuredClone(value) }),
};

const BEHAVIOUR: ToolBehaviour = {
  timeout: 30_000,
  retries: 0,
  maxRepairs: 3,
  requiresApproval: false,
  annotations: {},
  sequential: false,
  atomic: false,
  polling: false,
  returnDirect: false,
  external: false,
  enabled: true,
  trust: 'trusted',
  tags: [],
  strict: true,
  maxResultChars: 20_000,
};

export type Execute = (args: any, context: ToolContext<any>) => unknown;
export type ToolFacts = Partial<ToolBehaviour> & { readonly contract?: Contract; readonly preview?: ToolDefinition['preview'] };

/** A tool as a value. */
export function tool(name: string, execute: Execute, { contract = anything, preview, ...behaviour }: ToolFacts = {}): BoundTool {
  return {
    host: undefined,
    definition: {
      name,
      label: name.replaceAll('_', ' '),
      description: `The tool ${name}.`,
      owner: `Test.${name}`,
      behaviour: { ...BEHAVIOUR, ...behaviour },
      contract,
      home: undefined,
      method: undefined,
      call: (_, args, context) => execute(args, context),
      preview,
    },
  };
}

let lastId = 0;

/** A call as a model makes it. */
export function call(name: string, args: unknown = {}, over: Partial<RequestedCall> = {}): RequestedCall {
  const id = `call_${++lastId}`;
  return { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args), turn: 1, index: 0, ...over };
}

export interface TestScope extends CallScope {
  readonly events: EventBody[];
  /** The types of the events, each with what decides. */
  story(): string[];
}

/** A run for the gate: real timers for deadlines, no waiting between attempts. */
export function scope(tools: readonly BoundTool[], over: Partial<CallScope> = {}): TestScope {
  const events: EventBody[] = [];
  const { tainted: given = false, ...rest } = over;
  let tainted = given;
  const environment: Environment = {
    now: () => Date.now(),
    id: (kind) => `${kind}_${++lastId}`,
    random: () => 0.5,
    sleep: async (_, signal) => signal?.throwIfAborted(),
  };
  return {
    runId: 'run_1',
    tools: new Map(tools.map((one) => [one.definition.name, one])),
    deps: undefined,
    metadata: {},
    state: {},
    messages: [],
    usage: NO_USAGE,
    limits: {},
    get aborted() {
      return this.signal.aborted;
    },
    signal: new AbortController().signal,
    environment,
    exposeErrors: false,
    ceiling: 300_000,
    get tainted() {
      return tainted;
    },
    noteResult: (message) => void (tainted ||= message.trust === 'untrusted'),
    taint: 'ask',
    hooks: [],
    policy: [],
    approver: undefined,
    locks: new Locks(),
    cache: new ResultCache(),
    throttle: new Throttle(),
    tally: () => ({ repairs: 0, executions: 0 }),
    emit: (event) => void events.push(event),
    events,
    story: () => events.map(tell),
    ...rest,
  };
}

function tell(event: EventBody): string {
  if (event.type === 'tool.end') return `tool.end ${event.outcome}${event.reason === undefined ? '' : ` ${event.reason}`}`;
  if (event.type === 'tool.start') return `tool.start ${event.attempt}`;
  if (event.type === 'tool.approval') return `tool.approval${event.decision === undefined ? '' : ` ${event.decision}`}`;
  return event.type;
}

/** One call through all steps. */
export async function pass(requested: RequestedCall, within: CallScope): Promise<CallResult> {
  const prepared = await prepareCall(requested, within);
  return prepared.kind === 'result' ? prepared : finish(prepared, within);
}

async function finish(ready: ReadyCall, within: CallScope): Promise<CallResult> {
  return finishCall(ready, await executeCall(ready, within), within);
}

/** What the model reads of a result. */
export function textOf(result: CallResult): string {
  return result.message.parts.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part))).join('\n');
}

/** A promise that is settled by hand. */
export function deferred<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** Lets everything run that waits for nothing outside. */
export const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

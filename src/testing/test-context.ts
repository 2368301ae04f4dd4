import { ToolContext } from '../tools/tool-context';
import { NO_USAGE } from '../types/usage';

/** What may be said of a context; everything else has a plain value. */
export type TestContextOptions = Partial<Omit<ToolContext, 'deps' | 'update'>>;

/** A context for calling a tool's method directly; it keeps what the tool shows with `update`. */
export interface TestContext<Deps> extends ToolContext<Deps> {
  readonly updates: readonly unknown[];
}

/**
 * A context for calling a tool's method directly.
 * @example await new WeatherAgent(forecasts).currentWeather('Oslo', testContext({ user: 'ada' }))
 */
export function testContext<Deps = undefined>(deps?: Deps, options: TestContextOptions = {}): TestContext<Deps> {
  return new StandaloneContext(deps as Deps, options);
}

class StandaloneContext<Deps> extends ToolContext<Deps> implements TestContext<Deps> {
  readonly state: ToolContext['state'];
  readonly messages: ToolContext['messages'];
  readonly requestId: string;
  readonly timestamp: Date;
  readonly callId: string;
  readonly toolName: string;
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly usage: ToolContext['usage'];
  readonly limits: ToolContext['limits'];
  readonly idempotencyKey: string;
  readonly metadata: ToolContext['metadata'];
  readonly updates: unknown[] = [];

  constructor(
    readonly deps: Deps,
    options: TestContextOptions,
  ) {
    super();
    this.state = options.state ?? {};
    this.messages = options.messages ?? [];
    this.requestId = options.requestId ?? 'run_1';
    this.timestamp = options.timestamp ?? new Date(0);
    this.callId = options.callId ?? 'call_1';
    this.toolName = options.toolName ?? 'tool';
    this.attempt = options.attempt ?? 1;
    this.signal = options.signal ?? new AbortController().signal;
    this.usage = options.usage ?? NO_USAGE;
    this.limits = options.limits ?? {};
    this.idempotencyKey = options.idempotencyKey ?? 'run_1:1:0';
    this.metadata = options.metadata ?? {};
  }

  update(data: unknown): void {
    this.updates.push(data);
  }
}

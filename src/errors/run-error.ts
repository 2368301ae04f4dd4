import type { LimitName, RunFacts } from '../types/run-result';
import { ToolwrightError, type ErrorDetails, type ToolwrightErrorOptions } from './toolwright-error';

/** What a `RunError` is made with. */
export interface RunErrorOptions extends ToolwrightErrorOptions {
  /** What the run had done when it failed; its transcript is valid for a next run. */
  readonly partial?: RunFacts;
  /** What to change. */
  readonly advice?: string;
}

/**
 * A run that failed: it carries what had been done, and what to change.
 * @example if (RunError.is(error) && error.partial) await runner.run(WeatherAgent, 'Go on.', { continueFrom: error.partial });
 */
export class RunError extends ToolwrightError {
  static override readonly name: string = 'RunError';
  declare readonly partial: RunFacts | undefined;
  readonly advice: string | undefined;

  constructor(code: string, message: string, options: RunErrorOptions = {}) {
    super(code, message, options);
    // Not enumerable: who prints or logs the error wants its advice, not the whole conversation.
    Object.defineProperty(this, 'partial', { value: options.partial, configurable: true, writable: true });
    this.advice = options.advice;
  }
}

/** The caller aborted the run. Its `name` is `AbortError`, as the platform's is; `cause` is the signal's reason. */
export class RunAbortedError extends RunError {
  static override readonly name: string = 'RunAbortedError';

  constructor(message: string, options: RunErrorOptions = {}) {
    super('RUN_ABORTED', message, options);
    this.name = 'AbortError';
  }
}

/** What a `ModelError` is made with: what is known of the request that failed. */
export interface ModelErrorOptions extends RunErrorOptions {
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
  /** The provider's id of the request. */
  readonly requestId?: string;
  /** Whether the same request may succeed later. */
  readonly retryable?: boolean;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfter?: number;
}

/** The model could not be asked, or its answer could not be read to its end. */
export class ModelError extends RunError {
  static override readonly name: string = 'ModelError';
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;

  constructor(message: string, options: ModelErrorOptions = {}) {
    super('MODEL', message, options);
    this.status = options.status;
    this.requestId = options.requestId;
    this.retryable = options.retryable ?? false;
    this.retryAfter = options.retryAfter;
  }
}

/** The final answer did not become valid output within its retries. */
export class OutputError extends RunError {
  static override readonly name: string = 'OutputError';

  constructor(message: string, options: RunErrorOptions = {}) {
    super('OUTPUT', message, options);
  }
}

/** A tool threw a `FatalToolError`, which ends the run. */
export class FatalRunError extends RunError {
  static override readonly name: string = 'FatalRunError';

  constructor(message: string, options: RunErrorOptions = {}) {
    super('FATAL_TOOL', message, options);
  }
}

/** A limit was reached, and the run was asked to reject rather than to answer. */
export class LimitError extends RunError {
  static override readonly name: string = 'LimitError';
  readonly limit: LimitName;

  constructor(limit: LimitName, message: string, options: RunErrorOptions & { readonly details?: ErrorDetails } = {}) {
    super('LIMIT', message, options);
    this.limit = limit;
  }
}

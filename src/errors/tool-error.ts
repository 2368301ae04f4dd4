import { ToolwrightError, type ToolwrightErrorOptions } from './toolwright-error';

/**
 * Thrown by a tool: the model should try again with other arguments. It spends one of the tool's repairs.
 * @example throw new ToolRetry('There is no city "Olso". Did you mean Oslo?');
 */
export class ToolRetry extends ToolwrightError {
  static override readonly name: string = 'ToolRetry';

  constructor(message: string, options: ToolwrightErrorOptions = {}) {
    super('TOOL_RETRY', message, options);
  }
}

/**
 * Thrown by a tool: it failed for good, and the model is told this text.
 * @example throw new ToolFailure('The archive is closed until Monday.');
 */
export class ToolFailure extends ToolwrightError {
  static override readonly name: string = 'ToolFailure';

  constructor(message: string, options: ToolwrightErrorOptions = {}) {
    super('TOOL_FAILURE', message, options);
  }
}

/**
 * Thrown by a tool: the whole run must end now. `run` rejects with a `FatalRunError`.
 * @example throw new FatalToolError('The account was closed.', { cause: error });
 */
export class FatalToolError extends ToolwrightError {
  static override readonly name: string = 'FatalToolError';

  constructor(message: string, options: ToolwrightErrorOptions = {}) {
    super('TOOL_FATAL', message, options);
  }
}

/** The framework's own deadline for a call, told apart from a tool's own timeouts; it is the reason of `ctx.signal`. */
export class ToolTimeoutError extends ToolwrightError {
  static override readonly name: string = 'ToolTimeoutError';

  constructor(message: string, options: ToolwrightErrorOptions = {}) {
    super('TOOL_TIMEOUT', message, options);
    this.name = 'TimeoutError';
  }
}

import { ToolwrightError, type ToolwrightErrorOptions } from './toolwright-error';

/** The library was called in a way that cannot be right: an unknown option, a second reader of one stream. */
export class UsageError extends ToolwrightError {
  static override readonly name: string = 'UsageError';

  constructor(message: string, options: ToolwrightErrorOptions = {}) {
    super('USAGE', message, options);
  }
}

/** No model is set for a run. */
export class ModelNotConfiguredError extends ToolwrightError {
  static override readonly name: string = 'ModelNotConfiguredError';

  constructor(message: string, options: ToolwrightErrorOptions = {}) {
    super('MODEL_NOT_CONFIGURED', message, options);
  }
}

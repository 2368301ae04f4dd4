import { ToolwrightError, type ErrorDetails } from './toolwright-error';

/** A replay and its record part: the code does not ask any more what it asked when the run was recorded. */
export class ReplayError extends ToolwrightError {
  static override readonly name: string = 'ReplayError';

  constructor(message: string, details: ErrorDetails = {}) {
    super('REPLAY', message, { details });
  }
}

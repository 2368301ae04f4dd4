import { ToolwrightError } from '../errors/toolwright-error';

/** A check of the test kit failed. */
export class CheckError extends ToolwrightError {
  static override readonly name: string = 'CheckError';

  constructor(message: string) {
    super('CHECK', message);
  }
}

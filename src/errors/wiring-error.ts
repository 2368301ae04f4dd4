import { faultList } from './definition-error';
import { ToolwrightError } from './toolwright-error';

/** One dependency that cannot be provided. */
export interface WiringFault {
  readonly where: string;
  readonly what: string;
  readonly fix: string;
}

/** The services of an agent cannot be built: reported whole, at run start, before the first request. */
export class WiringError extends ToolwrightError {
  static override readonly name: string = 'WiringError';
  readonly faults: readonly WiringFault[];

  constructor(subject: string, faults: readonly WiringFault[], options: { readonly cause?: unknown } = {}) {
    super('WIRING', `${subject} cannot be built.\n${faultList(faults)}`, { ...options, details: { subject, faults } });
    this.faults = faults;
  }
}

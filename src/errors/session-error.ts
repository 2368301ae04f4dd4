import { ToolwrightError, type ToolwrightErrorOptions } from './toolwright-error';

/** A snapshot that cannot be resumed; `details.reason` says why: `damaged`, `newer`, `used`, or `other` (agent or run). */
export class SnapshotError extends ToolwrightError {
  static override readonly name: string = 'SnapshotError';

  constructor(reason: 'damaged' | 'newer' | 'used' | 'other', message: string, options: ToolwrightErrorOptions = {}) {
    super('SNAPSHOT', message, { ...options, details: { ...options.details, reason } });
  }
}

/** One decision that was refused. */
export interface DecisionFault {
  readonly callId: string;
  readonly problem: string;
}

/** Decisions that do not fit what waits. Nothing was run, and nothing was used up: resume again with others. */
export class DecisionError extends ToolwrightError {
  static override readonly name: string = 'DecisionError';
  readonly faults: readonly DecisionFault[];

  constructor(faults: readonly DecisionFault[]) {
    super('DECISION', `Nothing was run, since not every decision holds:\n${faults.map(({ problem }) => `- ${problem}`).join('\n')}`, {
      details: { faults },
    });
    this.faults = faults;
  }
}

/** A session that cannot be used as it is asked for, or that could not be read or written. */
export class SessionError extends ToolwrightError {
  static override readonly name: string = 'SessionError';

  constructor(message: string, options: ToolwrightErrorOptions = {}) {
    super('SESSION', message, options);
  }
}

/** Another run is at work in the session, here or in another process. */
export class SessionBusyError extends ToolwrightError {
  static override readonly name: string = 'SessionBusyError';

  constructor(id: string, options: ToolwrightErrorOptions = {}) {
    super('SESSION_BUSY', `The session ${JSON.stringify(id)} is in use by another run. Wait until it has ended.`, options);
  }
}

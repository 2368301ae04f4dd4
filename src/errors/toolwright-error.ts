const BRAND = Symbol.for('toolwright.error');

/** Machine-readable facts about an error; plain data. */
export type ErrorDetails = { readonly [key: string]: unknown };

/** What every error of this package may be made with. */
export interface ToolwrightErrorOptions {
  readonly cause?: unknown;
  readonly details?: ErrorDetails;
}

/** The base of everything this package throws. `code` is stable; `message` says what, where, why, and what to write. */
export class ToolwrightError extends Error {
  // Written out, here and below, since bundlers rename classes and the guards compare names.
  static override readonly name: string = 'ToolwrightError';

  readonly code: string;
  readonly details: ErrorDetails;

  constructor(code: string, message: string, options: ToolwrightErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.details = options.details ?? {};
    this.name = new.target.name;
    brand(this, new.target);
  }

  /**
   * Whether a value is an error of this class or of one below it, also when it comes from another copy of the package.
   * @example if (LimitError.is(error)) console.log(error.limit);
   */
  static is<T extends abstract new (...args: never[]) => ToolwrightError>(this: T, value: unknown): value is InstanceType<T> {
    if (typeof value !== 'object' || value === null) return false;
    const brands = (value as { [BRAND]?: unknown })[BRAND];
    return Array.isArray(brands) && brands.includes(this.name);
  }
}

/** The names of the class and of its bases: what two copies of the package can compare. */
function brand(error: object, constructor: Function): void {
  const names: string[] = [];
  for (let at: Function | null = constructor; at !== null && at !== Error; at = Object.getPrototypeOf(at) as Function | null)
    names.push(at.name);
  Object.defineProperty(error, BRAND, { value: names });
}

/**
 * Whether a value was thrown by this package, or by another copy of it.
 * @example if (isToolwrightError(error)) log(error.code, error.details);
 */
export function isToolwrightError(value: unknown): value is ToolwrightError {
  return ToolwrightError.is(value);
}

import type { Part } from '../types/message';
import type { Trust } from '../types/outcome';
import type { ContextUpdate } from './context-update';

const BRAND = Symbol.for('toolwright.ToolResult');

/** The wire form of a result that says how it went; only the fields that are set are sent. */
export interface Envelope<T = unknown> {
  readonly status: 'success' | 'error' | 'partial' | 'preview';
  readonly message?: string;
  readonly data?: T;
  readonly instruction?: string;
  readonly error?: string | { readonly code: string; readonly [key: string]: unknown };
  readonly suggestion?: string;
  readonly total?: number;
  readonly note?: string;
}

/** What belongs to a result beside its content. */
export interface ToolResultOptions {
  /** For user interfaces and logs; never sent to the model. */
  readonly details?: unknown;
  /** Whether the content may be believed; the tool's own setting when not given. */
  readonly trust?: Trust;
  /** Changes of the run's state. */
  readonly update?: ContextUpdate;
  /** What the tool changed in the world, as evidence. */
  readonly effects?: readonly unknown[];
}

/** What belongs to a result that is given as content. */
export interface ContentResultOptions extends ToolResultOptions {
  /** Whether the call failed, which makes its outcome `error`. `false` by default. */
  readonly isError?: boolean;
}

/**
 * What a tool gives back when a plain value is not enough.
 * @example return ToolResult.success(order, { message: 'Order placed.', effects: [{ created: order.id }] });
 */
export class ToolResult<out T = unknown> {
  readonly [BRAND] = true;
  /** What the model sees; absent where `envelope` says it. */
  readonly content: readonly Part[] | undefined;
  readonly envelope: Envelope<T> | undefined;
  readonly isError: boolean;
  readonly details: unknown;
  readonly trust: Trust | undefined;
  readonly update: ContextUpdate | undefined;
  readonly effects: readonly unknown[] | undefined;

  private constructor(
    what: { readonly content?: readonly Part[]; readonly envelope?: Envelope<T> },
    isError: boolean,
    options: ToolResultOptions,
  ) {
    this.content = what.content;
    this.envelope = what.envelope;
    this.isError = isError;
    this.details = options.details;
    this.trust = options.trust;
    this.update = options.update;
    this.effects = options.effects;
  }

  /** Whether a value is a result, also one of another copy of the package. */
  static is(value: unknown): value is ToolResult {
    return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
  }

  /** Content as it is: text, or parts with images, files and JSON. */
  static content(content: string | readonly Part[], options: ContentResultOptions = {}): ToolResult<never> {
    return new ToolResult<never>(
      { content: typeof content === 'string' ? [{ type: 'text', text: content }] : content },
      options.isError ?? false,
      options,
    );
  }

  /** Data, with a sentence about it (`message`) and what the model should do with it (`instruction`). */
  static success<T>(
    data: T,
    options: ToolResultOptions & { readonly message?: string; readonly instruction?: string } = {},
  ): ToolResult<T> {
    const { message, instruction } = options;
    return new ToolResult<T>({ envelope: { status: 'success', message, data, instruction } }, false, options);
  }

  /** A failure that the model should read: text, or a code with what belongs to it. */
  static error(
    error: string | { readonly code: string; readonly [key: string]: unknown },
    options: ToolResultOptions & { readonly suggestion?: string } = {},
  ): ToolResult<never> {
    return new ToolResult<never>({ envelope: { status: 'error', error, suggestion: options.suggestion } }, true, options);
  }

  /** Some of the items: `total` says how many there are, `note` how to get the rest. */
  static partial<T>(
    items: readonly T[],
    options: ToolResultOptions & { readonly total?: number; readonly note?: string } = {},
  ): ToolResult<readonly T[]> {
    return new ToolResult<readonly T[]>(
      { envelope: { status: 'partial', data: items, total: options.total, note: options.note } },
      false,
      options,
    );
  }

  /** What would happen. */
  static preview<T>(data: T, options: ToolResultOptions & { readonly message?: string } = {}): ToolResult<T> {
    return new ToolResult<T>({ envelope: { status: 'preview', message: options.message, data } }, false, options);
  }

  /** Nothing but a change of the run's state. */
  static update(update: ContextUpdate, message = 'Done.'): ToolResult<never> {
    return new ToolResult<never>({ content: [{ type: 'text', text: message }] }, false, { update });
  }
}

import type { JsonSchema } from '../types/json';

/** One argument that does not fit. */
export interface ArgumentFault {
  /** Where: `from.y`, `xs[1]`; empty for the arguments as a whole. */
  readonly path: string;
  /** What was expected: `an integer from 1 to 100`. */
  readonly expected: string;
  /** What came, shortly: `"north"`, `an array`, `nothing`. */
  readonly got: string;
  /** A help, such as the nearest name of an unknown key. */
  readonly hint?: string;
}

/** What decoding gives: a fresh value with defaults, or all faults at once. */
export type Decoded<T = unknown> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: readonly ArgumentFault[] };

/** A type as the model sees it, in both dialects, with the codec that reads what the model sends. */
export interface Contract<T = unknown> {
  /** JSON Schema, plain dialect. */
  readonly schema: JsonSchema;
  /** The strict dialect (every key required, nothing that strict mode refuses); absent where the type cannot be said in it. */
  readonly strict: JsonSchema | undefined;
  /** Why there is no strict form: the path and the type that is in the way. */
  readonly strictObstacle: string | undefined;
  /** Whether what decoding gives may not be decoded again (a transformation, another name on the wire): only what came may. */
  readonly converts?: boolean;
  /** For a contract that converts: what the model would have sent for `edited`, which was `shown`, decoded from `sent`. */
  asSent?(edited: unknown, shown: unknown, sent: unknown): unknown;
  /**
   * Reads what the model sent. Never changes its input, never throws for bad input; coerces only where nothing is lost
   * and one reading exists. A promise only where a Standard Schema or a validator of the user's is asynchronous.
   */
  decode(value: unknown): Decoded<T> | Promise<Decoded<T>>;
}

/** A fault that shows, beside its sentence, the two types that disagree. It exists for the compiler only. */
export interface Mismatch<Sentence extends string, Declared, Expected> {
  readonly '~mismatch': [Sentence, Declared, Expected];
}

/** A written `any`. A type parameter that is still open is a wildcard inside the compiler and gives `false`. */
export type IsAny<X> = [X extends never ? 1 : 2] extends [2] ? false : true;

/**
 * Whether a value of type `X` may stand where `P` is expected. Stricter than assignability in one point: TypeScript lets
 * any number pass for a numeric enum, and a model would send any.
 */
export type Fits<X, P> = [X] extends [P] ? ([Counted<X>] extends [Counted<P>] ? true : false) : false;

/** A type whose numbers, also those in lists and records, are told apart by their digits. */
type Counted<X> = unknown extends X
  ? X
  : X extends number
    ? { readonly '~digits': `${X}` }
    : X extends readonly unknown[]
      ? { [I in keyof X]: Counted<X[I]> }
      : X extends object
        ? string extends keyof X
          ? { [K in keyof X]: Counted<X[K]> }
          : X
        : X;

/** Whether a default, inferred as a constant, is a value of type `P`: that it was inferred read-only is not held against it. */
export type Holds<Default, P> = [Default] extends [P] ? true : [DeepMutable<Default>] extends [P] ? true : false;
type DeepMutable<D> = D extends readonly unknown[] | { readonly [key: string]: unknown }
  ? { -readonly [K in keyof D]: DeepMutable<D[K]> }
  : D;

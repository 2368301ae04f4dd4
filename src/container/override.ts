// Types only: typedi's `Token<T>` does not use its parameter, so nothing but a reference to the type itself can tell T.
import type { Token } from 'typedi';
import type { ClassToken, Container } from './container';

/** What a token stands for: an instance of the class, a token's type; of a name nothing is known. */
export type Provided<P> =
  P extends ClassToken<infer Instance> ? Instance : P extends string ? unknown : P extends Token<infer T> ? T : unknown;

/** A stand-in: any of the public members, each of its own type. A plain object can never have a class's private ones. */
export type Fake<T> = T extends (...args: never) => unknown ? T : T extends object ? { readonly [K in keyof T]?: T[K] } : T;

/**
 * One service replaced: by a value (which may be partial), a class that the container builds, or a function of the container.
 * @example { provide: Forecasts, useValue: { at: async () => ({ celsius: 2 }) } }
 */
export type Override<P> = { readonly provide: P } & (
  | { readonly useValue: Fake<Provided<P>>; readonly useClass?: never; readonly useFactory?: never }
  | { readonly useClass: ClassToken<Fake<Provided<P>>>; readonly useValue?: never; readonly useFactory?: never }
  | {
      readonly useFactory: (container: Container) => Fake<Provided<P>> | Promise<Fake<Provided<P>>>;
      readonly useValue?: never;
      readonly useClass?: never;
    }
);

/** A list of overrides, each checked against its own token. Declare it as `<const P extends readonly unknown[]>(overrides: Overrides<P>)`. */
export type Overrides<P extends readonly unknown[]> = readonly [...{ readonly [I in keyof P]: Override<P[I]> }];

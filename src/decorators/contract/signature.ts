/* eslint-disable @typescript-eslint/no-explicit-any -- Patterns that must match whatever stands there: only `any` does so for parameters and type arguments. */
import type { IsAny } from '../../types/fit';
import type { RunContext, ToolContext } from '../../tools/tool-context';

/** A member's type, private and protected ones included: an index signature beside the class makes any name legal. */
export type Member<C, K> = K extends string ? (C & { [name: string]: unknown })[K] : never;

/**
 * A parameter's type by its position. Written out: `Parameters<F>[I]` makes the compiler resolve a tuple type with all of
 * Array's members for each parameter, which costs more than all the rest of the check.
 */
export type ParameterAt<F, I> = I extends 0
  ? F extends (a: infer P, ...rest: any) => unknown
    ? P
    : never
  : I extends 1
    ? F extends (a: any, b: infer P, ...rest: any) => unknown
      ? P
      : never
    : I extends 2
      ? F extends (a: any, b: any, c: infer P, ...rest: any) => unknown
        ? P
        : never
      : I extends 3
        ? F extends (a: any, b: any, c: any, d: infer P, ...rest: any) => unknown
          ? P
          : never
        : F extends (...args: infer A) => unknown
          ? A[I & keyof A]
          : never;

/** Nobody writes 17 parameters: where one can be read at that place, there is a rest parameter. */
export type HasRest<F> = F extends (
  a: any,
  b: any,
  c: any,
  d: any,
  e: any,
  f: any,
  g: any,
  h: any,
  i: any,
  j: any,
  k: any,
  l: any,
  m: any,
  n: any,
  o: any,
  p: any,
  q: infer Q,
) => unknown
  ? unknown extends Q
    ? false
    : true
  : false;

/** Whether a parameter is the context, which is injected and never shown to the model. */
export type IsContext<P> = [P] extends [ToolContext<any> | undefined] ? (IsAny<P> extends true ? false : true) : false;

/** The deps that the context parameters among a function's first ten ask for, all of them together; `unknown` when none does. */
export type AskedDeps<F> = F extends (
  a: infer A,
  b: infer B,
  c: infer C,
  d: infer D,
  e: infer E,
  f: infer G,
  g: infer H,
  h: infer I,
  i: infer J,
  j: infer K,
  ...rest: any
) => unknown
  ? Together<AskedBy<[A] | [B] | [C] | [D] | [E] | [G] | [H] | [I] | [J] | [K]>>
  : unknown;

// A tool's context has every member of a run's, so this one pattern finds both. `never` stands in the declared hooks of
// every agent: it says that nothing is known, not that nothing would do.
type AskedBy<P> = P extends readonly [RunContext<infer Deps> | undefined] ? ([Deps] extends [never] ? never : Asks<Deps>) : never;

/** Carries deps where they are wanted: a union of these is read as an intersection of what they ask for. */
export type Asks<Deps> = (deps: Deps) => void;

/** The intersection of what a union of `Asks` asks for; `unknown` of none. */
export type Together<Asked> = [Asked] extends [never] ? unknown : [Asked] extends [Asks<infer Deps>] ? Deps : unknown;

/* eslint-disable @typescript-eslint/no-explicit-any -- Patterns that must match whatever stands there: only `any` does so for parameters and type arguments. */
import type { Mismatch } from '../../types/fit';
import type { AnyClass, TypeOf } from '../../types/type-spec';
import type { AskedDeps, HasRest, IsContext, Member, ParameterAt } from './signature';
import type { Fine, LegacyOnly } from './verdict';

/** The contract of `@Tool` on member `K`, of type `F`, of class `C`. */
export type ToolVerdict<C, K, F> = K extends { readonly kind: string }
  ? LegacyOnly
  : K extends string
    ? C extends AnyClass
      ? `A tool is an instance method; \`${K}\` is static.`
      : F extends (...args: any) => unknown
        ? HasRest<F> extends true
          ? `A rest parameter cannot be described to a model: give \`${K}\` an array.`
          : C extends { readonly '~agent': { readonly deps: (deps: infer Deps) => void } }
            ? [Deps] extends [AskedDeps<F>]
              ? Fine
              : Mismatch<`The context of \`${K}\` asks for deps that this agent does not have.`, AskedDeps<F>, Deps>
            : Fine
        : `@Tool() belongs on a method; \`${K}\` is none.`
    : 'A tool needs a name: @Tool() belongs on a method with a plain name.';

/** The contract of `@Preview(M)` on method `K`, of type `F`, of class `C`: it takes what the tool takes, or fewer. */
export type PreviewVerdict<C, K, M extends string, F> = K extends { readonly kind: string }
  ? LegacyOnly
  : Member<C, M> extends (...args: infer ToolArgs) => unknown
    ? F extends (...args: infer PreviewArgs) => unknown
      ? [(...args: PreviewArgs) => void] extends [(...args: ToolArgs) => void]
        ? Fine
        : Mismatch<`The preview \`${K & string}\` cannot take the arguments of \`${M}\`.`, PreviewArgs, ToolArgs>
      : Fine
    : `There is no method \`${M}\` to preview.`;

/** What no DTO can describe. */
type NoObject = string | number | boolean | bigint | symbol | null | undefined | Date | readonly unknown[] | ((...args: any) => unknown);

/** Whether every parameter but number `I` is the context. */
type OthersAreContext<A, I extends number> = { [X in keyof A]-?: X extends `${I}` ? true : IsContext<A[X]> }[number & keyof A];

/** The contract of `@Args(T)` at position `I` of method `K`. */
export type ArgsVerdict<C, K, I extends number, T> = [K] extends [string]
  ? C extends AnyClass
    ? `A tool is an instance method; \`${K & string}\` is static.`
    : Member<C, K> extends (...args: infer A) => unknown
      ? OthersAreContext<A, I> extends true
        ? [A[I & keyof A]] extends [NoObject]
          ? `@Args() describes all arguments of \`${K & string}\` by one class: parameter #${I} is no object type.`
          : [T] extends [never]
            ? Fine
            : [TypeOf<T>] extends [A[I & keyof A]]
              ? Fine
              : Mismatch<`The type given to @Args() does not fit parameter #${I} of \`${K & string}\`.`, TypeOf<T>, A[I & keyof A]>
        : `Beside @Args(), \`${K & string}\` may take the context and nothing else.`
      : Fine
  : 'Constructor parameters are injected; @Args belongs on the parameter of a tool method.';

/** The contract of `@Ctx()` at position `I` of method `K`. */
export type CtxVerdict<C, K, I extends number> = [K] extends [string]
  ? C extends AnyClass
    ? `A tool is an instance method; \`${K & string}\` is static.`
    : IsContext<ParameterAt<Member<C, K>, I>> extends true
      ? Fine
      : `@Ctx() belongs on a parameter of type ToolContext; parameter #${I} of \`${K & string}\` is none.`
  : 'A constructor gets no context; @Ctx belongs on a parameter of a tool method.';

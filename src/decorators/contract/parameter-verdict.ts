import type { Fits, Holds, IsAny, Mismatch } from '../../types/fit';
import type { AnyClass, EnumOf, TypeOf, TypeSpec } from '../../types/type-spec';
import type { IsContext, Member, ParameterAt } from './signature';
import type { Hint, InCode, IsReflected, Named } from './spelling';
import type { Fine, LegacyOnly } from './verdict';

/*
 * In all of these: C the class, K the method or property, I the position, P the type that stands there in TypeScript;
 * N the name, T the `type`, E the `enum`, D the `default`, Q the `optional` that were written, each `never` where nothing was.
 */

/** The whole contract of one `@Param`. */
export type ParameterVerdict<C, K, I extends number, N, T, E, D, Q> = [K] extends [string]
  ? C extends AnyClass
    ? `A tool is an instance method; \`${K & string}\` is static.`
    : OptionalityVerdict<ParameterAt<Member<C, K>, I>, `${Named<N, I>} of \`${K & string}\``, N, T, E, D, Q>
  : 'Constructor parameters are injected; @Param belongs on the parameters of a tool method.';

/** The contract of one `@Field`. class-validator's `@IsOptional` is invisible to types, so only disagreement is refused here. */
export type FieldVerdict<C, K, T, E, D> = K extends { readonly kind: string }
  ? LegacyOnly
  : PropertyVerdict<Member<C, K>, `property \`${K & string}\``, T, E, D>;

type PropertyVerdict<P, Where extends string, T, E, D> =
  IsOpen<P> extends true ? Fine : [T, E] extends [never, never] ? DefaultVerdict<P, P, Where, D> : FitVerdict<P, Where, T, E, D>;

/** An open type parameter (a wildcard inside the compiler), or `never`. */
type IsOpen<P> = [P extends never ? 1 : 2] extends [1] ? true : false;

/** In a program without `strictNullChecks` nothing is known of `undefined` and `null`. */
type StrictNulls = undefined extends string ? false : true;

/** May the caller leave it out (`x?: T`, `x: T = …`, `x: T | undefined`)? Of `unknown` and `any` nobody can tell. */
type MayMiss<P> = unknown extends P ? 'unsaid' : undefined extends P ? true : false;

type OptionalityVerdict<P, Where extends string, N, T, E, D, Q> =
  IsOpen<P> extends true
    ? Fine
    : IsContext<P> extends true
      ? `The ${Where} is the context: it is injected, remove @Param.`
      : [StrictNulls, D] extends [true, never]
        ? [MayMiss<P>, Q] extends [true, false]
          ? undefined extends Declared<T, E>
            ? TypeVerdict<P, Where, N, T, E, D>
            : `The ${Where} can be left out: say so with { optional: true } or { default: … }.`
          : [MayMiss<P>, Q] extends [false, true]
            ? `The ${Where} is declared optional, but its type has no undefined: write \`${InCode<N>}?:\` or give a default.`
            : TypeVerdict<P, Where, N, T, E, D>
        : TypeVerdict<P, Where, N, T, E, D>;

type Declared<T, E> = [E] extends [never] ? ([T] extends [never] ? never : TypeOf<T>) : EnumOf<E>;

type TypeVerdict<P, Where extends string, N, T, E, D> = [T, E] extends [never, never]
  ? IsReflected<Exclude<P, undefined>> extends true
    ? DefaultVerdict<P, P, Where, D>
    : `Reflection cannot see the type of ${Where}: write @Param('${InCode<N>}', { ${Hint<Exclude<P, undefined>>} }).`
  : [T] extends [never]
    ? FitVerdict<P, Where, T, E, D>
    : [T] extends [ArrayConstructor | ObjectConstructor | FunctionConstructor | MapConstructor | SetConstructor]
      ? `The type given for ${Where} does not say what is inside: write { ${Hint<Exclude<P, undefined>>} }.`
      : FitVerdict<P, Where, T, E, D>;

type FitVerdict<P, Where extends string, T, E, D> = [Declared<T, E>] extends [never]
  ? `The type given for ${Where} says nothing to the compiler: write it, as in jsonSchema<T>({ … }).`
  : Fits<Declared<T, E>, P> extends true
    ? DefaultVerdict<P, Declared<T, E>, Where, D>
    : [TypeSpec] extends [T]
      ? [E] extends [never]
        ? Fine // The option itself is already an error.
        : `The options of ${Where} do not tell the compiler their type: write them as \`{ … } satisfies ParamOptions\`.`
      : Mismatch<`The declared type does not fit ${Where}.`, Declared<T, E>, P>;

type DefaultVerdict<P, X, Where extends string, D> = [D] extends [never]
  ? Fine
  : Holds<D, X & P> extends true
    ? Fine
    : Mismatch<`The default does not fit ${Where}.`, D, IsAny<P> extends true ? X : Exclude<X & P, undefined>>;

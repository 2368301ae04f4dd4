import type { Holds, Mismatch } from '../types/fit';
import type { ParamOptions } from '../types/param-options';
import type { AnyClass, EnumOf, TypeOf, TypeSpec } from '../types/type-spec';
import type { ToolContext } from './tool-context';
import type { ToolDefinition } from './tool-definition';
import type { ToolOptions } from './tool-options';

/** One parameter of a shape: a type, options, or (for a text) its description. */
export type ShapeEntry = string | TypeSpec | ParamOptions;

/** Parameters by name: `{ city: 'City name', days: { type: Integer, default: 3 }, tags: arrayOf(String) }`. */
export type ToolShape = { readonly [name: string]: ShapeEntry };

/** What `parameters` may be: a shape, a DTO class, `() => Dto`, a Standard Schema of an object, or `jsonSchema<T>({ … })`. */
export type ToolParameters = ToolShape | TypeSpec;

/** The arguments that `execute` receives for given `parameters`. */
export type ArgsOf<S> = S extends TypeSpec
  ? TypeOf<S>
  : Flat<
      { -readonly [K in keyof S as MayMiss<S[K]> extends true ? never : K]: EntryType<S[K]> } & {
        -readonly [K in keyof S as MayMiss<S[K]> extends true ? K : never]?: EntryType<S[K]>;
      }
    >;

// Only for the editor: shows the object instead of the intersection it was made of.
type Flat<T> = { [K in keyof T]: T[K] };

type EntryType<E> = E extends string
  ? string
  : E extends { readonly '~type': unknown } | { readonly '~standard': unknown } | ((...args: never) => unknown) | AnyClass
    ? TypeOf<E>
    : E extends { readonly enum: infer Members }
      ? EnumOf<Members>
      : E extends { readonly type: infer Type }
        ? TypeOf<Type>
        : string;

type MayMiss<E> = E extends { readonly optional: true } ? (E extends { readonly default: unknown } ? false : true) : false;

/** A bare type parameter switches the compiler's check for unknown properties off; this puts it back, and compares defaults. */
export type CheckedShape<S> = S extends TypeSpec
  ? unknown
  : { readonly [K in keyof S]: S[K] extends TypeSpec | string ? unknown : UnknownOptions<S[K]> & DefaultOf<S[K]> };

type UnknownOptions<E> = { readonly [X in Exclude<keyof E, keyof ParamOptions>]: NoSuchOption };
type DefaultOf<E> = E extends { readonly default: infer D }
  ? Holds<D, EntryType<E>> extends true
    ? unknown
    : { readonly default: Mismatch<'The default does not fit its type.', D, EntryType<E>> }
  : unknown;
interface NoSuchOption {
  readonly '~no such option': never;
}

/** What `defineTool` takes of every tool: its options, with the functions among them typed by its parameters. */
interface DeclaredToolOptions<S, Deps> extends Omit<ToolOptions, 'name' | 'description' | 'requiresApproval' | 'lock' | 'enabled'> {
  /** Letters, digits, underscore, hyphen; at most 64. */
  readonly name: string;
  readonly description: string;
  /** None: the tool takes no arguments. */
  readonly parameters?: S & CheckedShape<S>;
  readonly requiresApproval?: boolean | ((args: ArgsOf<S>, context: ToolContext<Deps>) => boolean | Promise<boolean>);
  readonly lock?: (args: ArgsOf<S>) => string;
  readonly enabled?: ToolOptions['enabled'];
  /** Shows what `execute` would do; run before approval, with the same arguments. */
  preview?(args: ArgsOf<S>, context: ToolContext<Deps>): unknown;
}

/** What `defineTool` takes of a tool that is executed here. */
export interface DefineToolOptions<S, Deps> extends DeclaredToolOptions<S, Deps> {
  execute(args: ArgsOf<S>, context: ToolContext<Deps>): unknown;
}

/** What `externalTool` takes. */
export type ExternalToolOptions<S, Deps> = Omit<DeclaredToolOptions<S, Deps>, 'external' | 'cache'>;

/** A tool as a value that remembers its types: what `defineTool` gives. */
export interface DefinedTool<out Args = unknown, in Deps = never> extends ToolDefinition {
  // For the compiler only, so nothing exists at run time.
  readonly '~tool'?: { readonly args: Args; readonly deps: (deps: Deps) => void };
}

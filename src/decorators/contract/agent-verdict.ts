/* eslint-disable @typescript-eslint/no-explicit-any -- Patterns that must match whatever stands there: only `any` does so for parameters and type arguments. */
import type { DefinedTool } from '../../tools/tool-shape';
import type { ToolDefinition } from '../../tools/tool-definition';
import type { RunContext } from '../../tools/tool-context';
import type { ToolRef } from '../../tools/tool-ref';
import type { ToolList, ToolsetRef, ToolsetView } from '../../tools/toolset';
import type { Mismatch } from '../../types/fit';
import type { TypeOf, TypeSpec } from '../../types/type-spec';
import type { AskedDeps, Asks, Together } from './signature';
import type { Fine } from './verdict';

/** The deps that the public methods of an object ask for: its class's own, its bases', its mixins'. */
type AskedByMethods<A> = Together<{ [K in keyof A]-?: A[K] extends (...args: any) => unknown ? Asks<AskedDeps<A[K]>> : never }[keyof A]>;

/** What one entry of `toolsets` or `tools` asks for. */
type AskedByEntry<S> =
  S extends ToolsetView<infer T, any>
    ? T extends ToolList<infer Tools>
      ? AskedByEntry<Tools>
      : Asks<AskedByMethods<T>>
    : S extends ToolDefinition
      ? S extends DefinedTool<any, infer Deps>
        ? Asks<Deps>
        : never
      : S extends abstract new (...args: any) => infer T
        ? Asks<AskedByMethods<T>>
        : S extends (context: RunContext<infer Deps>) => unknown
          ? Asks<Deps>
          : Asks<AskedByMethods<S>>;
// Nothing was listed, or nothing could be inferred of what was: nothing is asked for.
type AskedByEntries<S, All> = [All] extends [S] ? unknown : Together<AskedByEntry<S>>;

/** The functions of a configuration, each with the type that was written: what they ask for is compared with the agent's deps. */
export interface ConfigFunctions<I, P, H, A, G> {
  readonly instructions?: I;
  readonly policy?: P;
  readonly hooks?: H;
  readonly approve?: A;
  readonly guardrails?: G;
}
type AskedByFunctions<F> =
  F extends ConfigFunctions<infer I, infer P, infer H, infer A, infer G>
    ? Together<AskedByFunction<I> | AskedByFunction<P> | AskedByFunction<H> | AskedByFunction<A> | AskedByFunction<G[keyof G]>>
    : never;

/** What one function asks for, an object or a class with functions as methods, or a list of such. */
type AskedByFunction<X> = X extends readonly (infer Each)[]
  ? AskedByFunction<Each>
  : X extends abstract new (...args: any) => infer Instance
    ? Asks<AskedByMethods<Instance>>
    : X extends (...args: any) => unknown
      ? Asks<AskedDeps<X>>
      : Asks<AskedByMethods<X>>;

/**
 * The contract of `@AgentConfig` on an agent of type `A`: T the `output`, S its toolsets, V its tools, F the
 * `ConfigFunctions` that were written.
 */
export type AgentVerdict<A, T, S, V, F> = A extends {
  readonly '~agent': { readonly output: infer Output; readonly deps: (deps: infer Has) => void };
}
  ? [Has] extends [AskedByFunctions<F> & AskedByMethods<A> & AskedByEntries<S, ToolsetRef> & AskedByEntries<V, ToolRef>]
    ? OutputVerdict<T, Output, HandoffOutputs<V>>
    : DepsFault<Has, A, S, V, F>
  : '@AgentConfig() belongs on a class that extends Agent.';

/** What the agents that one may hand over to answer with: the run's answer may be theirs. A tool that is none has no such key. */
type HandoffOutputs<V> = [ToolRef] extends [V]
  ? never
  : V extends unknown
    ? '~handoff' extends keyof V
      ? HandoffOutput<V>
      : never
    : never;
type HandoffOutput<V> = V extends { readonly '~handoff'?: { readonly output: infer Next } } ? Next : never;

type OutputVerdict<T, Output, Next> = [Next] extends [Output]
  ? OwnOutputVerdict<T, Output>
  : Mismatch<'An agent that this one hands over to answers with another type.', Next, Output>;

type OwnOutputVerdict<T, Output> = [T] extends [never]
  ? string extends Output
    ? Fine
    : Mismatch<'This agent returns a typed output: say which, as in @AgentConfig({ output: TheClass }).', never, Output>
  : [TypeSpec] extends [T]
    ? 'These options do not tell the compiler their `output`: write them as `{ … } satisfies AgentOptions`.'
    : [TypeOf<T>] extends [never]
      ? 'The type given as `output` says nothing to the compiler: write it, as in jsonSchema<T>({ … }).'
      : [TypeOf<T>] extends [Output]
        ? Fine
        : Mismatch<'`output` and `extends Agent<Output>` disagree.', TypeOf<T>, Output>;

type DepsFault<Has, A, S, V, F> = [Has] extends [AskedByFunctions<F>]
  ? [Has] extends [AskedByMethods<A>]
    ? [Has] extends [AskedByEntries<S, ToolsetRef>]
      ? Mismatch<'A tool of `tools` asks for deps that this agent does not have.', AskedByEntries<V, ToolRef>, Has>
      : Mismatch<'A toolset asks for deps that this agent does not have.', AskedByEntries<S, ToolsetRef>, Has>
    : Mismatch<'A method of the agent, or of a base, asks for deps that this agent does not have.', AskedByMethods<A>, Has>
  : Mismatch<'A function in the configuration asks for deps that this agent does not have.', AskedByFunctions<F>, Has>;

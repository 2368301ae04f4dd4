/* eslint-disable @typescript-eslint/no-explicit-any -- Classes and views of any kind, and functions of any deps, stand here; `@AgentConfig` compares the deps. */
import type { RunContext } from './tool-context';
import type { ToolDefinition } from './tool-definition';
import type { ToolOptions } from './tool-options';
import type { ToolRef } from './tool-ref';

/** What a toolset adds to the agent's instructions: text, or a function of the run's context that is called once, at run start. */
export type ToolsetInstructions = string | ((context: RunContext<any>) => string | Promise<string>);

/** One tool of a toolset while wrappers work on it; immutable, each wrapper gives new ones. */
export type ToolsetTools = readonly ToolDefinition[];

/** What `filtered` asks of each tool. */
export type ToolFilter = (tool: ToolDefinition, context: RunContext<any>) => boolean | Promise<boolean>;

/** What `prepared` does with the whole list: it may leave out, reorder, or change descriptions. */
export type ToolPreparation = (tools: ToolsetTools, context: RunContext<any>) => ToolsetTools | Promise<ToolsetTools>;

type SnakeCase<S extends string> = S extends `${infer Head}${infer Rest}`
  ? Head extends Lowercase<Head>
    ? `${Head}${SnakeCase<Rest>}`
    : `_${Lowercase<Head>}${SnakeCase<Rest>}`
  : S;

/** The names that the tools of a class have unless they say otherwise: its public methods' in snake_case. */
type MethodNames<T> = SnakeCase<{ [K in keyof T & string]: T[K] extends (...args: any) => unknown ? K : never }[keyof T & string]>;

// Offered by the editor, not enforced: `@Tool({ name })` may differ from the method's name. `& {}` keeps the offers apart from `string`.
type Offered<Names extends string> = Names | (string & {});

/**
 * A toolset seen through wrappers. Immutable: each method gives a new view and leaves this one as it is.
 * @example toolset(Files).prefixed('fs_').only('fs_read_file')
 */
export interface ToolsetView<out T = unknown, Names extends string = MethodNames<T>> {
  readonly '~toolset': { readonly of?: T };
  /** Puts the text in front of each name. */
  prefixed<const Prefix extends string>(prefix: Prefix): ToolsetView<T, `${Prefix}${Names}`>;
  /** Keeps these tools, in their own order. */
  only(...names: Offered<Names>[]): ToolsetView<T, Names>;
  /** Leaves these tools out. */
  without(...names: Offered<Names>[]): ToolsetView<T, Names>;
  /** From old names to new ones. */
  renamed(names: { readonly [Old in Offered<Names>]?: string | undefined }): ToolsetView<T, string>;
  /** Asked once per tool at run start. */
  filtered(filter: ToolFilter): ToolsetView<T, Names>;
  /** Asked once at run start. */
  prepared(prepare: ToolPreparation): ToolsetView<T, Names>;
  /** Sets options of all its tools; what is set here wins over what the tool's author wrote. */
  configured(options: Partial<ToolOptions>): ToolsetView<T, Names>;
}

/** A toolset made of a list of tools; `@AgentConfig` reads from it what deps they ask for. */
export interface ToolList<out Tools> {
  readonly '~tools': Tools;
}

/** What `toolset` takes: a class with `@Tool` methods, an instance of one, a list of tools, or a view. */
export type ToolsetSource = (abstract new (...args: any[]) => object) | readonly ToolRef[] | object;

/** What a view of a source shows. */
export type Viewed<S> = S extends readonly (infer Tools)[]
  ? ToolList<Tools>
  : S extends abstract new (...args: any) => infer Instance
    ? Instance
    : S extends ToolsetView<infer T, any>
      ? T
      : S;

/** Gives toolsets for a run; asked once, at run start. */
export type ToolsetFactory = (context: RunContext<any>) => ToolsetRef | readonly ToolsetRef[] | Promise<ToolsetRef | readonly ToolsetRef[]>;

/** What may stand in `toolsets`: a class, an instance, a view, or a factory. */
export type ToolsetRef = (abstract new (...args: any[]) => object) | ToolsetView<any, any> | ToolsetFactory | object;

import type { RunContext } from './tool-context';
import type { ToolDefinition } from './tool-definition';
import type { ToolOptions } from './tool-options';

export type ToolsetInstructions = string | ((context: RunContext<any>) => string | Promise<string>);

/** One tool of a toolset while wrappers work on it; immutable, each wrapper gives new ones. */
export type ToolsetTools = readonly ToolDefinition[];

/** What `filtered` asks of each tool. */
export type ToolFilter = (tool: ToolDefinition, context: RunContext<any>) => boolean | Promise<boolean>;

/** What `prepared` does with the whole list: it may leave out, reorder, or change descriptions. */
export type ToolPreparation = (tools: ToolsetTools, context: RunContext<any>) => ToolsetTools | Promise<ToolsetTools>;

/**
 * A toolset seen through wrappers. Immutable: each method gives a new view and leaves this one as it is.
 * @example toolset(Files).prefixed('fs_').only('fs_read_file')
 */
export interface ToolsetView<T = unknown> {
  readonly '~toolset': { readonly of?: T };
  /** Puts the text in front of each name. */
  prefixed(prefix: string): ToolsetView<T>;
  only(...names: string[]): ToolsetView<T>;
  without(...names: string[]): ToolsetView<T>;
  renamed(names: { readonly [old: string]: string | undefined }): ToolsetView<T>;
  /** Asked once per tool at run start. */
  filtered(filter: ToolFilter): ToolsetView<T>;
  /** Asked once at run start. */
  prepared(prepare: ToolPreparation): ToolsetView<T>;
  /** Sets options of all its tools; what is set here wins over what the tool's author wrote. */
  configured(options: Partial<ToolOptions>): ToolsetView<T>;
}

/** Gives toolsets for a run; asked once, at run start. */
export type ToolsetFactory = (context: RunContext<any>) => ToolsetRef | readonly ToolsetRef[] | Promise<ToolsetRef | readonly ToolsetRef[]>;

/** What may stand in `toolsets`: a class, an instance, a view, or a factory. */
export type ToolsetRef = (abstract new (...args: any[]) => object) | ToolsetView<any> | ToolsetFactory | object;

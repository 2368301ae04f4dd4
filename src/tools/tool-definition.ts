import type { RawOptions } from '../metadata/facts';
import type { Contract } from '../schema/contract';
import type { Delegation } from './delegation';
import type { ToolContext } from './tool-context';
import type { ToolBehaviour } from './tool-options';

/** The class that a tool's methods belong to: what the container is asked for. */
export type ToolHome = abstract new (...args: never[]) => object;

/**
 * One tool, resolved: frozen, with no reference to any agent.
 *
 * `home` is the class whose instance is needed (absent for tools that are values). `call` places decoded arguments
 * and the context, and returns whatever the method returns.
 */
export interface ToolDefinition {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** Who declared it, for messages: `Weather.forecast`. */
  readonly owner: string;
  readonly behaviour: ToolBehaviour;
  readonly contract: Contract;
  readonly home: ToolHome | undefined;
  /** The method behind it, for those who read their own metadata from it. */
  readonly method: string | undefined;
  /** The options as they were written, without defaults: what `configured` starts from; absent for tools made by hand. */
  readonly written?: RawOptions;
  /** Set for a tool that stands for an agent. */
  readonly delegation?: Delegation;
  /** Said once per run: what its author should improve. */
  readonly warnings?: readonly string[];
  call(host: object | undefined, args: unknown, context: ToolContext): unknown;
  /** Runs the method marked `@Preview` for this tool, with the same arguments. */
  readonly preview: ((host: object | undefined, args: unknown, context: ToolContext) => unknown) | undefined;
}

/** A tool with the instance that it runs on. */
export interface BoundTool {
  readonly definition: ToolDefinition;
  readonly host: object | undefined;
}

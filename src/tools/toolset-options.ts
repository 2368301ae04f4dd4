import type { ToolOptions } from './tool-options';
import type { ToolsetInstructions } from './toolset';

/** What `@Toolset` takes: how the set is offered, and defaults for its tools, over which each tool's own options win. */
export interface ToolsetOptions extends Omit<ToolOptions, 'name' | 'label' | 'description'> {
  /** Put in front of each tool's name: `fs_` makes `read_file` into `fs_read_file`. */
  readonly prefix?: string;
  /** Added to the agent's instructions when the set is listed; a function is called once, at run start. */
  readonly instructions?: ToolsetInstructions;
}

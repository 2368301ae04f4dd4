import type { ToolsetOptions } from '../tools/toolset-options';
import type { AnyClass } from '../types/type-spec';
import type { LegacyOnly } from './contract/verdict';
import { recordClass } from './record-class';

/** What `@Toolset()` gives: a decorator of any class. */
export type ToolsetDecorator = (target: AnyClass, standard?: LegacyOnly) => void;

/**
 * Says how the `@Tool` methods of an injectable class are offered where agents list it in `toolsets`.
 *
 * @param options a prefix for the names, instructions for the agent, defaults for the tools
 * @throws UsageError only when it is called as a standard decorator; every other fault is told when the class is resolved
 * @example `@Toolset({ prefix: 'fs_', instructions: 'Paths are relative.' }) class Files { … }`
 */
export function Toolset(options?: ToolsetOptions): ToolsetDecorator {
  return recordClass('@Toolset()', 'toolset', options);
}

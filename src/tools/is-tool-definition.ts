import type { ToolDefinition } from './tool-definition';

/** Whether a value is a tool, told by its shape: it may come from another copy of the package, or be made by hand. */
export function isToolDefinition(value: unknown): value is ToolDefinition {
  if (typeof value !== 'object' || value === null) return false;
  const { name, call, behaviour } = value as Partial<Record<keyof ToolDefinition, unknown>>;
  return (
    typeof name === 'string' && typeof call === 'function' && typeof behaviour === 'object' && behaviour !== null && 'contract' in value
  );
}

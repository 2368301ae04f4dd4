import type { ToolDefinition } from './tool-definition';

/** A class that is one tool: it has `execute`. */
// `any`: decorated parameters make every signature possible.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ToolClass = new (...args: any[]) => { execute(...args: any[]): unknown };

/** A tool as a value, or a class that is one tool. */
export type ToolRef = ToolDefinition | ToolClass;

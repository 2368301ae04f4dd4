import type { Hooks } from './hooks';

const HOOKS: Record<keyof Hooks, true> = {
  onRunStart: true,
  beforeModel: true,
  afterModel: true,
  beforeTool: true,
  onToolStart: true,
  afterTool: true,
  onRunEnd: true,
};

/** The methods by which an agent's class takes part in its runs. */
export const HOOK_METHODS: ReadonlySet<string> = new Set([...Object.keys(HOOKS), 'approve']);

/** Whether an object has any hook. */
export function hasHooks(value: object): value is Hooks {
  return Object.keys(HOOKS).some((name) => typeof (value as Record<string, unknown>)[name] === 'function');
}

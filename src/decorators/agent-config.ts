import type { AgentOptions } from '../agent/agent-options';
import type { ToolRef } from '../tools/tool-ref';
import type { ToolsetRef } from '../tools/toolset';
import type { AnyClass, TypeSpec } from '../types/type-spec';
import type { AgentVerdict, ConfigFunctions } from './contract/agent-verdict';
import type { LegacyOnly, Unless } from './contract/verdict';
import { recordClass } from './record-class';

/** What `@AgentConfig()` gives; the compiler compares the options with the agent's `Output` and `Deps`. */
export interface AgentConfigDecorator<T, S, V, F> {
  <C extends AnyClass>(target: Unless<AgentVerdict<InstanceType<C>, T, S, V, F>, C>, standard?: LegacyOnly): void;
}

/**
 * Configures a subclass of `Agent`; how options meet those of its bases is said at each in `AgentOptions`. The compiler
 * compares `output` with `extends Agent<Output>`, and the deps that functions, toolsets and tools ask for with the agent's.
 *
 * @throws UsageError only when it is called as a standard decorator; every other fault is told when the class is resolved
 * @example `@AgentConfig({ model: 'openai:gpt-5-mini', instructions: 'You know the weather.' }) class Weather extends Agent { … }`
 */
// A type parameter for each function, and deps of `never` in the options: of one parameter for the deps of all, the compiler
// would infer what the first function asks for, and refuse the others.
export function AgentConfig<
  T extends TypeSpec = never,
  S extends ToolsetRef = ToolsetRef,
  V extends ToolRef = ToolRef,
  I = unknown,
  P = unknown,
  H = unknown,
  A = unknown,
  G = unknown,
>(options: AgentOptions<T, never, S, V> & ConfigFunctions<I, P, H, A, G>): AgentConfigDecorator<T, S, V, ConfigFunctions<I, P, H, A, G>> {
  return recordClass('@AgentConfig()', 'agent', options);
}

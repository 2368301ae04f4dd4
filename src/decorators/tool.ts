import { append } from '../metadata/facts';
import type { ToolOptions } from '../tools/tool-options';
import type { ToolVerdict } from './contract/method-verdict';
import type { Unless } from './contract/verdict';
import { isOn, placeOf, recordMisplaced } from './place';
import { writtenOptions } from './written-options';

/** One signature for every misuse: a property calls it with two arguments, a standard decorator with a context object. */
export interface ToolDecorator {
  <C, K, F = undefined>(target: C, key: Unless<ToolVerdict<C, K, F>, K>, method?: TypedPropertyDescriptor<F>): void;
}

/**
 * Makes a method a tool.
 *
 * @param description what the model reads, or options; a bare `@Tool()` is described by the method's name in words
 * @throws UsageError only when it is called as a standard decorator; every other fault is told when the class is resolved
 * @example class Weather { @Tool('Current weather for a city.') current(@Param('city', 'City name') city: string) { … } }
 */
export function Tool(description?: string | ToolOptions): ToolDecorator {
  const decorate = (target: unknown, key?: unknown, third?: unknown): void => {
    const place = placeOf('@Tool()', target, key, third);
    if (!isOn('method', place)) return recordMisplaced('@Tool()', 'a method', place);
    append(place.cls, 'tools', { method: place.member, options: writtenOptions('@Tool()', description, place) });
  };
  return decorate;
}

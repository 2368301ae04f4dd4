import { append } from '../metadata/facts';
import type { PreviewVerdict } from './contract/method-verdict';
import type { Unless } from './contract/verdict';
import { isOn, placeOf, recordFault, recordMisplaced } from './place';

/** What `@Preview()` gives; the compiler compares the method's parameters with the tool's. */
export interface PreviewDecorator<M extends string> {
  <C extends object, K, F>(target: C, key: Unless<PreviewVerdict<C, K, M, F>, K>, method: TypedPropertyDescriptor<F>): void;
}

/**
 * Makes a method the preview of a tool: it runs before approval, with the same arguments, and shows what the tool would do.
 *
 * @param tool the name of the tool's method in this class
 * @throws UsageError only when it is called as a standard decorator; every other fault is told when the class is resolved
 * @example class Files { @Preview('deleteFile') previewDelete(path: string) { return `Would delete ${path}`; } }
 */
export function Preview<const M extends string>(tool: M): PreviewDecorator<M> {
  const decorate = (target: unknown, key: unknown, third: unknown): void => {
    const place = placeOf('@Preview()', target, key, third);
    if (!isOn('method', place)) return recordMisplaced('@Preview()', 'a method', place);
    if (typeof tool !== 'string')
      return recordFault(place, '@Preview() names no tool.', "Write the tool's method: @Preview('deleteFile').");
    append(place.cls, 'previews', { tool, method: place.member });
  };
  return decorate;
}

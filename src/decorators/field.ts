import { append } from '../metadata/facts';
import type { ParamOptions } from '../types/param-options';
import type { EnumObject, Scalar, TypeSpec } from '../types/type-spec';
import type { FieldVerdict } from './contract/parameter-verdict';
import type { Unless } from './contract/verdict';
import { isOn, placeOf, recordMisplaced } from './place';
import { writtenOptions } from './written-options';

/** What `@Field()` gives; the compiler compares the options with the property. */
export interface FieldDecorator<T, E, D> {
  <C, K>(target: C, key: Unless<FieldVerdict<C, K, T, E, D>, K>): void;
}

/**
 * Describes a DTO's property to the model, as `@Param` does a parameter; class-validator's decorators say the constraints.
 *
 * @param options a description, or options
 * @throws UsageError only when it is called as a standard decorator; every other fault is told when the class is resolved
 * @example class Order { @Field({ description: 'What to send', type: arrayOf(String), minItems: 1 }) items!: string[] }
 */
export function Field<T extends TypeSpec = never, const E extends readonly Scalar[] | EnumObject = never, const D = never>(
  options?: string | ParamOptions<T, E, D>,
): FieldDecorator<T, E, D> {
  const decorate = (target: unknown, key: unknown, third?: unknown): void => {
    const place = placeOf('@Field()', target, key, third);
    if (!isOn('property', place)) return recordMisplaced('@Field()', 'a property of a DTO', place);
    append(place.cls, 'fields', { property: place.member, options: writtenOptions('@Field()', options, place) });
  };
  return decorate;
}

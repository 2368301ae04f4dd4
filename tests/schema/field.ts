import { append } from '../../src/metadata/facts';

/** Records what `@Field` records, without the decorator and its compile-time checks. */
export function Field(cls: Function, property: string, options: Record<string, unknown> = {}): void {
  append(cls, 'fields', { property, options });
}

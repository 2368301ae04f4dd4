import type { JsonSchema } from '../types/json';
import { generateArguments } from './generate-value';
import { Random } from './random';

/** Arguments that break a schema, and whether they break it under every reading. */
export interface InvalidArguments {
  /** A value, or text that is no JSON. */
  readonly args: unknown;
  readonly certainly: boolean;
}

const ODD: readonly unknown[] = [
  null,
  [],
  {},
  '',
  ' ',
  'NaN',
  -1,
  1e308,
  true,
  'x'.repeat(5_000),
  [[[]]],
  { a: { b: {} } },
  '\u0000',
  '😀',
  '2024-02-30',
];

/** One way of getting arguments wrong, chosen by the seed. */
export function invalidArguments(schema: JsonSchema, seed: number): InvalidArguments {
  const random = new Random(seed ^ 0x1b873593);
  const valid = generateArguments(schema, seed);
  const object = typeof valid === 'object' && valid !== null && !Array.isArray(valid) ? (valid as Record<string, unknown>) : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const names = Object.keys(object);
  switch (random.between(0, 5)) {
    case 0: {
      const name = required.length === 0 ? undefined : random.pick(required);
      const properties = schema['properties'] as Record<string, { readonly default?: unknown } | undefined> | undefined;
      if (name === undefined || properties?.[name]?.default !== undefined) break;
      return { args: without(object, name), certainly: true };
    }
    case 1:
      return { args: random.pick<unknown>([[], 17, 'text', [object]].map((value) => JSON.stringify(value))), certainly: false };
    case 2:
      return { args: `${JSON.stringify(object).slice(0, -1)}, "`, certainly: true };
    case 3:
      return {
        args: JSON.parse(`{"__proto__": {"polluted": true}, "constructor": 1, "no_such_parameter": ${seed}}`) as unknown,
        certainly: false,
      };
  }
  const name = names.length === 0 ? 'no_such_parameter' : random.pick(names);
  return { args: Object.fromEntries([...Object.entries(object), [name, random.pick(ODD)]]), certainly: false };
}

function without(object: Readonly<Record<string, unknown>>, name: string): object {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

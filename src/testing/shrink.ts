import type { JsonSchema } from '../types/json';

const MOST_TRIES = 60;

/**
 * The smallest arguments found that still show a fault: optional ones are left out, and with `values` lists, texts and
 * numbers made smaller. Those may no longer fit the schema, so `shows` has to tell that fault from the one sought.
 */
export async function shrunk(
  args: unknown,
  schema: JsonSchema,
  values: boolean,
  shows: (smaller: unknown) => Promise<boolean>,
): Promise<unknown> {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
  let smallest = args as Record<string, unknown>;
  let tries = 0;
  for (let progress = true; progress;) {
    progress = false;
    for (const candidate of smallerObjects(smallest, required, values)) {
      if (++tries > MOST_TRIES) return smallest;
      if (!(await shows(candidate))) continue;
      smallest = candidate;
      progress = true;
      break;
    }
  }
  return smallest;
}

function* smallerObjects(
  object: Record<string, unknown>,
  required: ReadonlySet<string>,
  values: boolean,
): Generator<Record<string, unknown>> {
  for (const name of Object.keys(object))
    if (!required.has(name)) yield Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
  if (!values) return;
  for (const [name, value] of Object.entries(object))
    for (const smaller of smallerValues(value))
      yield Object.fromEntries(Object.entries(object).map(([key, old]) => [key, key === name ? smaller : old]));
}

function smallerValues(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return value === '' ? [] : ['', value.slice(0, value.length >> 1)];
  if (typeof value === 'number') return value === 0 ? [] : [0, Math.trunc(value / 2)].filter((smaller) => smaller !== value);
  if (Array.isArray(value)) return value.length === 0 ? [] : [[], value.slice(0, value.length >> 1)];
  return [];
}

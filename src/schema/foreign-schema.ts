import type { JsonSchema } from '../types/json';
import { isRecord } from './decode-any';

/** How deep a JSON Schema from elsewhere may be nested. */
export const MAX_SCHEMA_DEPTH = 100;

/** Where definitions that come along are put. */
export interface DefinitionScope {
  /** Takes a free name, near the one wanted. */
  reserve(wanted: string): string;
  define(name: string, schema: JsonSchema): void;
}

/** Keywords whose value is data, not a schema: nothing inside is changed. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'type', 'description', 'title', 'format', 'pattern']);
/** Keywords whose value is a map from names to schemas. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Why a JSON Schema cannot be used, or nothing; never runs out of stack. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: schema, depth: 0 }];
  // By the greatest depth at which it was met: shared parts are not walked twice for nothing, and a loop gets ever deeper.
  const seen = new Map<unknown, number>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
      return `it holds a ${typeof value}, which JSON cannot say`;
    if (typeof value !== 'object' || value === null) continue;
    // An object with its keys is two steps down, so the bound on values is twice the bound on schemas.
    if (depth > 2 * MAX_SCHEMA_DEPTH) return `it is nested deeper than ${MAX_SCHEMA_DEPTH} levels, or contains itself`;
    if ((seen.get(value) ?? -1) >= depth) continue;
    seen.set(value, depth);
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string' && !$ref.startsWith('#'))
      return `it refers to ${JSON.stringify($ref.slice(0, 80))}, and only references inside the schema are followed`;
    for (const key of Object.keys(value)) open.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 });
  }
  return undefined;
}

/** A raw schema for a whole parameter set must say that it is an object: providers refuse it otherwise. All else is left as given. */
export function asObjectSchema(schema: JsonSchema): JsonSchema {
  const isObjectLike = schema.type === undefined && (isRecord(schema.properties) || schema.additionalProperties !== undefined);
  return isObjectLike ? { type: 'object', ...schema } : schema;
}

/** The schema that a library gave for its own type, in the forms that providers take: no `oneOf`, no boolean subschemas, closed objects. */
export function normalised(schema: JsonSchema): JsonSchema {
  const { $schema: _, '~standard': __, ...rest } = change(schema, normaliseOne);
  return rest;
}

function normaliseOne(schema: Record<string, unknown>): Record<string, unknown> {
  const result = { ...schema };
  if (Array.isArray(result.oneOf) && result.anyOf === undefined) {
    result.anyOf = result.oneOf;
    delete result.oneOf;
  }
  if (Array.isArray(result.prefixItems)) {
    const { length } = result.prefixItems;
    if (result.items === undefined || result.items === false) {
      delete result.items;
      result.minItems ??= length;
      result.maxItems ??= length;
    }
  }
  if (result.minimum === Number.MIN_SAFE_INTEGER) delete result.minimum;
  if (result.maximum === Number.MAX_SAFE_INTEGER) delete result.maximum;
  if (isRecord(result.properties) && result.additionalProperties === undefined) result.additionalProperties = false;
  if (isRecord(result.properties) && result.required === undefined) result.required = [];
  if (result.additionalProperties === true) result.additionalProperties = {};
  return result;
}

/** A schema from elsewhere inside ours: its definitions move to our `$defs`, under names that are free, and references follow. */
export function hoist(schema: JsonSchema, scope: DefinitionScope): Record<string, unknown> {
  const moved = new Map<string, string>();
  const own: [string, JsonSchema][] = [];
  for (const holder of ['$defs', 'definitions']) {
    const definitions = schema[holder];
    if (!isRecord(definitions)) continue;
    for (const [name, definition] of Object.entries(definitions)) {
      const here = scope.reserve(name);
      moved.set(`#/${holder}/${name}`, `#/$defs/${here}`);
      own.push([here, definition as JsonSchema]);
    }
  }
  const { $defs: _, definitions: __, $schema: ___, ...body } = schema;
  let selfName: string | undefined;
  const redirect = (part: Record<string, unknown>): Record<string, unknown> => {
    const { $ref } = part;
    if (typeof $ref !== 'string') return part;
    if ($ref === '#') return { ...part, $ref: `#/$defs/${(selfName ??= scope.reserve('Self'))}` };
    const [, head, tail = ''] = /^(#\/(?:\$defs|definitions)\/[^/]+)(.*)$/.exec($ref) ?? [];
    return head !== undefined && moved.has(head) ? { ...part, $ref: moved.get(head)! + tail } : part;
  };
  const changed = change(body, redirect);
  for (const [name, definition] of own) scope.define(name, change(definition, redirect));
  if (selfName !== undefined) scope.define(selfName, changed);
  return changed;
}

/** A copy with every subschema changed, innermost first. */
function change(schema: unknown, one: (schema: Record<string, unknown>) => Record<string, unknown>): Record<string, unknown> {
  if (schema === true) return {};
  if (!isRecord(schema)) return schema as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (DATA.has(key)) result[key] = value;
    else if (MAPS.has(key) && isRecord(value))
      result[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner, one)]));
    else if (Array.isArray(value))
      result[key] = value.map((inner) => (isRecord(inner) ? change(inner, one) : inner === true ? {} : (inner as unknown)));
    else result[key] = isRecord(value) ? change(value, one) : value;
  }
  return one(result);
}

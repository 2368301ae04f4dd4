import type { JsonSchema } from '../types/json';
import { isJsonObject } from './decode-any';
import { patternOf, patternProblem } from './pattern';
import { followed, MAX_SCHEMA_DEPTH, resolvePointer } from './schema-references';

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

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** What a value inside a JSON Schema is: a schema (or a list of them), a map from names to schemas, or data. */
type Role = 'schema' | 'map' | 'data';

interface OpenPart {
  readonly value: unknown;
  readonly depth: number;
  readonly role: Role;
  readonly root: JsonSchema;
}

/** Why a JSON Schema cannot be used, or nothing; never runs out of stack. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  const open: OpenPart[] = [{ value: schema, depth: 0, role: 'schema', root: schema }];
  // By the greatest depth at which it was met: shared parts are not walked twice for nothing, and a loop gets ever deeper.
  const seen = new Map<unknown, number>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth, role } = next;
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
      return `it holds a ${typeof value}, which JSON cannot say`;
    if (typeof value !== 'object' || value === null) continue;
    // An object with its keys is two steps down, so the bound on values is twice the bound on schemas.
    if (depth > 2 * MAX_SCHEMA_DEPTH) return `it is nested deeper than ${MAX_SCHEMA_DEPTH} levels, or contains itself`;
    if ((seen.get(value) ?? -1) >= depth) continue;
    seen.set(value, depth);
    const part = value as JsonSchema;
    const isSchema = role === 'schema' && !Array.isArray(value);
    // References inside a part with an `$id` of its own count from there.
    const root = isSchema && typeof part.$id === 'string' ? part : next.root;
    const problem = isSchema ? ownProblem(part, root) : undefined;
    if (problem !== undefined) return problem;
    for (const key of Object.keys(part))
      open.push({ value: part[key], depth: depth + 1, role: Array.isArray(value) ? role : roleOf(key, role), root });
  }
  return undefined;
}

const roleOf = (key: string, parent: Role): Role =>
  parent === 'data' ? 'data' : parent === 'map' ? 'schema' : DATA.has(key) ? 'data' : MAPS.has(key) ? 'map' : 'schema';

/** What is wrong with the keywords of one schema itself: the mistakes that would else come to light at the first call. */
function ownProblem({ $ref, $async, type, pattern, ...rest }: Record<string, unknown>, root: JsonSchema): string | undefined {
  if (typeof $ref === 'string') return referenceProblem($ref, root);
  if ($async !== undefined) return 'it is asynchronous (`$async`), which is no JSON Schema';
  const strange = (Array.isArray(type) ? (type as unknown[]) : [type]).find((name) => name !== undefined && !TYPES.has(name));
  if (strange !== undefined) return `${JSON.stringify(strange)?.slice(0, 80)} is not a type of JSON Schema`;
  if (typeof pattern === 'string') {
    const problem = patternProblem(patternOf(pattern));
    if (problem !== undefined) return `its pattern does not compile: ${problem}`;
  }
  for (const bound of ['exclusiveMinimum', 'exclusiveMaximum'])
    if (typeof rest[bound] === 'boolean') return `\`${bound}\` is true or false, as in draft 4; write the bound itself`;
  return undefined;
}

/** Names by `$anchor` and `$id` are left to the validator. */
function referenceProblem($ref: string, root: JsonSchema): string | undefined {
  const shown = JSON.stringify($ref.slice(0, 80));
  if (!$ref.startsWith('#')) return `it refers to ${shown}, and only references inside the schema are followed`;
  const met = new Set<string>();
  for (let at: unknown = $ref; typeof at === 'string' && (at === '#' || at.startsWith('#/'));) {
    if (met.has(at)) return `${shown} leads back to itself`;
    met.add(at);
    const target = resolvePointer(at, root);
    if (target === undefined) return `it refers to ${shown}, and there is nothing`;
    at = isJsonObject(target) ? target.$ref : undefined;
  }
  return undefined;
}

/** A schema for all arguments of a tool must say that they are an object: providers refuse it otherwise. All else is left as given. */
export function asObjectSchema(schema: JsonSchema): JsonSchema {
  if (schema.type !== undefined) return schema;
  return Object.keys(schema).length === 0 || takesObjects(schema) ? { type: 'object', ...schema } : schema;
}

/** Whether nothing but objects can be meant by a schema, as far as its keywords say. */
function takesObjects(root: JsonSchema): boolean {
  return followed((part, ask) => {
    if (!isJsonObject(part)) return false;
    if (part.type !== undefined) return part.type === 'object';
    if (isJsonObject(part.properties) || part.additionalProperties !== undefined) return true;
    if (typeof part.$ref === 'string') return ask(resolvePointer(part.$ref, root));
    const branches = part.anyOf ?? part.oneOf;
    if (Array.isArray(branches)) return branches.every(ask);
    return Array.isArray(part.allOf) && part.allOf.some(ask);
  })(root);
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
  if (isJsonObject(result.properties) && result.additionalProperties === undefined) result.additionalProperties = false;
  if (isJsonObject(result.properties) && result.required === undefined) result.required = [];
  if (result.additionalProperties === true) result.additionalProperties = {};
  return result;
}

/** A schema from elsewhere inside ours: its definitions move to our `$defs`, under names that are free, and references follow. */
export function hoist(schema: JsonSchema, scope: DefinitionScope): Record<string, unknown> {
  const moved = new Map<string, string>();
  const own: [string, JsonSchema][] = [];
  for (const holder of ['$defs', 'definitions']) {
    const definitions = schema[holder];
    if (!isJsonObject(definitions)) continue;
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
  if (!isJsonObject(schema)) return schema as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (DATA.has(key)) result[key] = value;
    else if (MAPS.has(key) && isJsonObject(value))
      result[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner, one)]));
    else if (Array.isArray(value))
      result[key] = value.map((inner) => (isJsonObject(inner) ? change(inner, one) : inner === true ? {} : (inner as unknown)));
    else result[key] = isJsonObject(value) ? change(value, one) : value;
  }
  return one(result);
}

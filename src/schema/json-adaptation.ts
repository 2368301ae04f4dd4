import type { JsonSchema } from '../types/json';
import { ANY_DECODER, isJsonObject } from './decode-any';
import { numberFrom } from './decode-scalar';
import { nearestName } from '../errors/nearest-name';
import { resolvePointer } from './schema-references';
import { jsonAcceptsNull } from './type-node';
import { pathText, type Walk } from './walk';

/**
 * A fresh copy of a value, brought nearer to a JSON Schema that somebody else will check: `null` for what may be left out
 * is left out, and texts become numbers, booleans, lists or objects where the schema has that one simple type.
 *
 * @param refuseUnknown whether keys of closed objects that the schema does not know are faults here, since the checker may drop them
 */
export function adaptToSchema(value: unknown, schema: JsonSchema, walk: Walk, refuseUnknown: boolean): unknown {
  const fresh = ANY_DECODER(value, walk);
  return walk.faults.length > 0 ? undefined : adapt(fresh, schema, { root: schema, walk, refuseUnknown }, 0);
}

interface Context {
  readonly root: JsonSchema;
  readonly walk: Walk;
  readonly refuseUnknown: boolean;
}

/** Changes `value`, which is a copy already. */
function adapt(value: unknown, given: unknown, context: Context, depth: number): unknown {
  const schema = resolved(given, context.root);
  if (schema === undefined || depth > 400) return value;
  const meant = meantBranch(value, schema, context.root);
  if (meant !== undefined) return adapt(value, meant, context, depth + 1);
  const read = typeof value === 'string' && !context.walk.exact ? fromText(value, schema) : value;
  if (Array.isArray(read)) {
    const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    for (let at = 0; at < read.length; at += 1) {
      const item: unknown = at < prefix.length ? prefix[at] : schema.items;
      if (item === undefined || !context.walk.enter(at, read[at])) continue;
      read[at] = adapt(read[at], item, context, depth + 1);
      context.walk.leave();
    }
  } else if (isJsonObject(read)) adaptKeys(read, schema, context, depth);
  return read;
}

function adaptKeys(value: Record<string, unknown>, schema: Record<string, unknown>, context: Context, depth: number): void {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(properties, key)) {
      if (schema.additionalProperties === false && context.refuseUnknown && schema.patternProperties === undefined) {
        const near = nearestName(key, Object.keys(properties));
        const hint = near === undefined ? undefined : { hint: `did you mean ${near}?` };
        context.walk.fault({ path: pathText([...context.walk.path, key]), expected: 'no such key', got: 'an unknown key', ...hint });
      } else if (isJsonObject(schema.additionalProperties) && context.walk.enter(key, value[key])) {
        value[key] = adapt(value[key], schema.additionalProperties, context, depth + 1);
        context.walk.leave();
      }
      continue;
    }
    const property = properties[key];
    if (value[key] === null && !required.includes(key) && !jsonAcceptsNull(property, context.root)) {
      delete value[key];
      continue;
    }
    if (!context.walk.enter(key, value[key])) continue;
    value[key] = adapt(value[key], property, context, depth + 1);
    context.walk.leave();
  }
}

function resolved(schema: unknown, root: JsonSchema): Record<string, unknown> | undefined {
  let at = schema;
  for (let hops = 0; hops < 20; hops += 1) {
    if (!isJsonObject(at)) return undefined;
    if (typeof at.$ref !== 'string') return at;
    at = resolvePointer(at.$ref, root);
  }
  return undefined;
}

/** The branch of a union that a value is for: the only one beside `null`, or the only one whose constants it carries. */
function meantBranch(value: unknown, schema: Record<string, unknown>, root: JsonSchema): unknown {
  const branches = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(branches) || value === null) return undefined;
  const others = branches.map((branch) => resolved(branch, root)).filter((branch) => branch !== undefined && branch.type !== 'null');
  if (others.length === 1) return others[0];
  if (!isJsonObject(value)) return undefined;
  const tagged = others.filter((branch) => carriesConstants(value, branch!));
  return tagged.length === 1 ? tagged[0] : undefined;
}

function carriesConstants(value: Record<string, unknown>, branch: Record<string, unknown>): boolean {
  if (!isJsonObject(branch.properties)) return false;
  let found = false;
  for (const [key, property] of Object.entries(branch.properties)) {
    if (!isJsonObject(property) || !('const' in property)) continue;
    if (!Object.hasOwn(value, key) || value[key] !== property.const) return false;
    found = true;
  }
  return found;
}

function fromText(text: string, schema: Record<string, unknown>): unknown {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => type !== 'null');
  if (types.length !== 1) return text;
  switch (types[0]) {
    case 'number':
    case 'integer':
      return numberFrom(text) ?? text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return parsed(text, Array.isArray);
    case 'object':
      return parsed(text, isJsonObject);
    default:
      return text;
  }
}

function parsed(text: string, isWanted: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isWanted(value) && isShallow(value) ? value : text;
  } catch {
    return text;
  }
}

/** Also refuses `__proto__` as a key, as the copying of arguments does. */
function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return (
    depth < 100 && Object.keys(value).every((key) => key !== '__proto__' && isShallow((value as Record<string, unknown>)[key], depth + 1))
  );
}

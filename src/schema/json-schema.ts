import type { JsonSchema } from '../types/json';
import type { Scalar } from '../types/type-spec';
import { copyOf } from './constraints';
import { isPortable } from './pattern';
import { hoist, type DefinitionScope } from './foreign-schema';
import {
  isFlat,
  type ArrayNode,
  type BigIntNode,
  type FieldNode,
  type LiteralNode,
  type NumberNode,
  type ObjectNode,
  type StringNode,
  type TypeNode,
} from './type-node';

type Json = Record<string, unknown>;

/** A type as JSON Schema, draft 2020-12, in the plain dialect. */
export function schemaOf(root: TypeNode): JsonSchema {
  // A schema from elsewhere that stands for everything is sent as given.
  if (root.kind === 'raw') return root.schema;
  if (root.kind === 'standard') return root.json;
  if (isFlat(root)) return render(root, NOTHING_SHARED, true);
  const scope = new Definitions(root);
  const schema = render(root, scope, true);
  return scope.size === 0 ? schema : { ...schema, $defs: scope.all() };
}

/** What `$defs` will hold: classes that contain themselves or are used more than once, named at the end and known by identity. */
class Definitions implements DefinitionScope {
  private readonly shared = new Set<ObjectNode>();
  private readonly names = new Map<ObjectNode, string>();
  private readonly schemas = new Map<string, JsonSchema>();

  constructor(root: TypeNode) {
    const uses = new Map<ObjectNode, number>();
    const stack: ObjectNode[] = [];
    const visit = (node: TypeNode): void => {
      if (node.kind !== 'object') return children(node).forEach(visit);
      const count = (uses.get(node) ?? 0) + 1;
      uses.set(node, count);
      const at = stack.indexOf(node);
      if (at >= 0) for (const inside of stack.slice(at)) this.shared.add(inside);
      if (count > 1) {
        if (node.cls !== undefined) this.shared.add(node);
        return;
      }
      stack.push(node);
      children(node).forEach(visit);
      stack.pop();
    };
    visit(root);
  }

  get size(): number {
    return this.schemas.size;
  }

  all(): Json {
    return Object.fromEntries(this.schemas);
  }

  /** The reference to a shared class, whose schema is written at the first one. */
  reference(node: ObjectNode): string | undefined {
    if (!this.shared.has(node)) return undefined;
    let name = this.names.get(node);
    if (name === undefined) {
      name = this.freeName(node.name);
      this.names.set(node, name);
      this.schemas.set(name, {});
      this.schemas.set(name, objectSchema(node, this));
    }
    return `#/$defs/${name}`;
  }

  /** Takes over a definition from elsewhere; gives the name it has here. */
  reserve(wanted: string): string {
    const name = this.freeName(wanted);
    this.schemas.set(name, {});
    return name;
  }

  define(name: string, schema: JsonSchema): void {
    this.schemas.set(name, schema);
  }

  private freeName(wanted: string): string {
    const base = wanted.replace(/[^A-Za-z0-9_]/g, '_').slice(0, 60) || 'Type';
    let name = base;
    for (let count = 2; this.schemas.has(name); count += 1) name = `${base}_${count}`;
    return name;
  }
}

const NONE: readonly TypeNode[] = [];

const NOTHING_SHARED = new Definitions({ kind: 'any' });

function children(node: TypeNode): readonly TypeNode[] {
  switch (node.kind) {
    case 'array':
      return [node.item];
    case 'tuple':
      return node.items;
    case 'record':
      return [node.value];
    case 'union':
      return node.options;
    case 'nullable':
      return [node.inner];
    case 'object':
      return node.fields.map((field) => field.node);
    default:
      return NONE;
  }
}

function render(node: TypeNode, scope: Definitions, isRoot = false): Json {
  switch (node.kind) {
    case 'string':
      return stringSchema(node);
    case 'number':
      return numberSchema(node);
    case 'boolean':
      return { type: 'boolean' };
    case 'bigint':
      return bigintSchema(node);
    case 'date':
      return { type: 'string', format: 'date-time' };
    case 'url':
      return { type: 'string', format: 'uri' };
    case 'literal':
      return literalSchema(node);
    case 'array':
      return arraySchema(node, scope);
    case 'tuple':
      return {
        type: 'array',
        prefixItems: node.items.map((item) => render(item, scope)),
        minItems: node.items.length,
        maxItems: node.items.length,
      };
    case 'record':
      return { type: 'object', ...(node.value.kind === 'any' ? {} : { additionalProperties: render(node.value, scope) }) };
    case 'union':
      return unionSchema(node.options.map((option) => render(option, scope)));
    case 'nullable':
      return withNull(render(node.inner, scope));
    case 'object': {
      const $ref = isRoot ? undefined : scope.reference(node);
      return $ref === undefined ? objectSchema(node, scope) : { $ref };
    }
    case 'any':
      return {};
    case 'standard':
      return hoist(node.json, scope);
    case 'raw':
      return hoist(node.schema, scope);
  }
}

function stringSchema({ minLength, maxLength, patterns, format }: StringNode): Json {
  const schema: Json = { type: 'string' };
  if (minLength !== undefined) schema.minLength = minLength;
  if (maxLength !== undefined) schema.maxLength = maxLength;
  const pattern = patterns?.find(isPortable)?.source;
  if (pattern !== undefined) schema.pattern = pattern;
  if (format !== undefined) schema.format = format;
  return schema;
}

function numberSchema(node: NumberNode): Json {
  const schema: Json = { type: node.integer ? 'integer' : 'number' };
  // In the order in which they were written.
  for (const key of Object.keys(node) as (keyof NumberNode)[]) if (key !== 'kind' && key !== 'integer') schema[key] = node[key];
  return schema;
}

function bigintSchema({ minimum }: BigIntNode): Json {
  return { type: 'string', pattern: minimum !== undefined && minimum >= 0n ? '^[0-9]+$' : '^-?[0-9]+$' };
}

function literalSchema({ values }: LiteralNode): Json {
  const wire = values.map((value) => (typeof value === 'bigint' ? value.toString() : value));
  const types = new Set(wire.filter((value) => value !== null).map(typeName));
  const [only] = types;
  if (types.size === 0) return { type: 'null' };
  // An integer is a number: of the two, the wider one covers both.
  const type = types.size === 1 ? only : types.size === 2 && types.has('integer') && types.has('number') ? 'number' : undefined;
  const hasNull = wire.includes(null);
  return compact({ type: type === undefined ? undefined : hasNull ? [type, 'null'] : type, enum: wire });
}

/** The JSON Schema type of a value. */
export function typeName(value: Scalar | undefined): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function arraySchema({ item, minItems, maxItems, uniqueItems }: ArrayNode, scope: Definitions): Json {
  return compact({ type: 'array', items: render(item, scope), minItems, maxItems, uniqueItems: uniqueItems === true ? true : undefined });
}

/** Bare primitives share one `type`; everything else is `anyOf`. */
function unionSchema(branches: readonly Json[]): Json {
  const isBare = (branch: Json): boolean => Object.keys(branch).length === 1 && typeof branch.type === 'string';
  const flat = branches.flatMap((branch) =>
    Object.keys(branch).length === 1 && Array.isArray(branch.anyOf) ? (branch.anyOf as Json[]) : [branch],
  );
  if (flat.every(isBare)) {
    const types = [...new Set(flat.map((branch) => branch.type))];
    return { type: types.length === 1 ? types[0] : types };
  }
  const seen = new Set<string>();
  const distinct = flat.filter((branch) => {
    const key = JSON.stringify(branch);
    return !seen.has(key) && seen.add(key);
  });
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}

/** The same schema, with `null` as one more value; said once, whatever it was before. */
export function withNull(schema: Json): Json {
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  if (Array.isArray(schema.anyOf)) {
    const hasNull = (schema.anyOf as Json[]).some(
      (branch) => branch.type === 'null' || (Array.isArray(branch.type) && branch.type.includes('null')),
    );
    return hasNull ? schema : { ...schema, anyOf: [...(schema.anyOf as Json[]), { type: 'null' }] };
  }
  if (schema.type === undefined && schema.enum === undefined)
    return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
  const result: Json = { ...schema };
  if (typeof schema.type === 'string') result.type = schema.type === 'null' ? 'null' : [schema.type, 'null'];
  else if (Array.isArray(schema.type) && !schema.type.includes('null')) result.type = [...(schema.type as string[]), 'null'];
  if ('const' in result) {
    result.enum = result.const === null ? [null] : [result.const, null];
    delete result.const;
  } else if (Array.isArray(schema.enum) && !schema.enum.includes(null)) result.enum = [...(schema.enum as unknown[]), null];
  return result;
}

function objectSchema(node: ObjectNode, scope: Definitions): Json {
  const properties: Json = {};
  for (const field of node.fields) properties[field.name] = fieldSchema(field, scope);
  const required: string[] = [];
  for (const { optional, name } of node.fields) if (!optional) required.push(name);
  return { type: 'object', properties, required, additionalProperties: false };
}

function fieldSchema({ node, description, examples, fallback }: FieldNode, scope: Definitions): Json {
  const said = description === '' ? undefined : description;
  const schema = render(node, scope);
  if (said === undefined && fallback?.json === undefined && examples === undefined) return schema;
  const noted = copyOf(schema);
  if (said !== undefined) noted.description = said;
  if (fallback?.json !== undefined) noted.default = fallback.json;
  if (examples !== undefined) noted.examples = examples;
  return noted;
}

function compact(fields: Json): Json {
  const result: Json = {};
  for (const key of Object.keys(fields)) if (fields[key] !== undefined) result[key] = fields[key];
  return result;
}

import type { JsonSchema } from '../types/json';
import { isJsonObject } from './decode-any';
import { typeName, withNull } from './json-schema';
import { jsonAcceptsNull } from './type-node';

type Json = Record<string, unknown>;

/** The strict form of a schema, or why there is none. */
export type Strict =
  { readonly schema: JsonSchema; readonly obstacle?: undefined } | { readonly schema?: undefined; readonly obstacle: string };

const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);
/** What stays as it is. What is in no list is dropped: the codec checks it, and strict may say less, never something else. */
const KEPT = new Set([
  'type',
  'enum',
  'const',
  'description',
  'title',
  'pattern',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
]);
const SAID_ALIKE = new Set([...KEPT].filter((key) => key !== 'enum' && key !== 'const'));
const UNSAYABLE = new Set([
  'allOf',
  'not',
  'if',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
  'unevaluatedProperties',
]);
const LIMITS = { properties: 5_000, levels: 10, values: 1_000, chars: 120_000, valuesInOne: 250, charsInOne: 15_000 };

/**
 * The strict dialect of a schema, as OpenAI's structured outputs take it: every key required and nullable where it
 * was optional, closed objects, no `default`, `prefixItems` or unknown formats, nothing beside `$ref`.
 */
export function strictOf(plain: JsonSchema): Strict {
  try {
    if (plain.type !== 'object' || plain.anyOf !== undefined || plain.$ref !== undefined)
      throw new Obstacle('', 'the root is not an object');
    const context = new Conversion(plain);
    const { $defs, definitions } = plain;
    const schema: Json = context.convert(plain, '', 1);
    if ($defs === undefined && definitions === undefined) {
      context.checkLimits();
      return { schema };
    }
    const all = { ...(definitions as Json | undefined), ...($defs as Json | undefined) };
    const converted = Object.entries(all).map(([name, inner]) => {
      context.chars += name.length;
      return [name, context.convert(inner, name, 1)] as const;
    });
    context.checkLimits();
    return { schema: converted.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(converted) } };
  } catch (error) {
    if (error instanceof Obstacle) return { obstacle: error.message };
    throw error;
  }
}

class Obstacle extends Error {
  constructor(path: string, what: string) {
    super(path === '' ? what : `${path}: ${what}`);
  }
}

class Conversion {
  chars = 0;
  private properties = 0;
  private values = 0;

  constructor(private readonly root: JsonSchema) {}

  convert(given: unknown, path: string, level: number): Json {
    if (!isJsonObject(given)) throw new Obstacle(path, 'a boolean schema cannot be said in strict mode');
    if (level > LIMITS.levels) throw new Obstacle(path, `strict mode allows ${LIMITS.levels} levels of nesting`);
    if (typeof given.$ref === 'string') return this.reference(given, given.$ref);
    if (isSaidAlike(given)) return given;
    const schema: Json = {};
    for (const key of Object.keys(given)) {
      if (KEPT.has(key)) schema[key] = given[key];
      else if (key === 'format' && FORMATS.has(String(given.format))) schema.format = given.format;
      else if (UNSAYABLE.has(key) && given[key] !== undefined) throw new Obstacle(path, `\`${key}\` cannot be said in strict mode`);
    }
    this.countValues(given, path);
    const branches = given.anyOf ?? given.oneOf;
    if (Array.isArray(branches)) {
      schema.anyOf = branches.map((branch, at) => this.convert(branch, `${path}<${at}>`, level));
      return schema;
    }
    if (given.type === undefined) return this.untyped(given, schema, path, level);
    if (mentions(given.type, 'object')) this.object(given, schema, path, level);
    if (mentions(given.type, 'array')) schema.items = this.items(given, path, level);
    return schema;
  }

  checkLimits(): void {
    if (this.properties > LIMITS.properties)
      throw new Obstacle('', `strict mode allows ${LIMITS.properties} properties, here are ${this.properties}`);
    if (this.values > LIMITS.values) throw new Obstacle('', `strict mode allows ${LIMITS.values} enum values, here are ${this.values}`);
    if (this.chars > LIMITS.chars) throw new Obstacle('', `strict mode allows ${LIMITS.chars} characters of names and values`);
  }

  /** Nothing may stand beside `$ref`, so what describes it goes around it. */
  private reference({ description }: Json, $ref: string): Json {
    const target = { $ref: $ref.replace('#/definitions/', '#/$defs/') };
    return description === undefined ? target : { anyOf: [target], description };
  }

  private object(given: Json, schema: Json, path: string, level: number): void {
    if (given.additionalProperties !== false || !isJsonObject(given.properties))
      throw new Obstacle(path, 'an object with open keys cannot be said in strict mode');
    const required: readonly unknown[] = Array.isArray(given.required) ? given.required : [];
    const properties: Json = {};
    for (const key of Object.keys(given.properties)) {
      const property = given.properties[key];
      const inner = path === '' ? key : `${path}.${key}`;
      const converted = this.convert(property, inner, level + (isNesting(property) ? 1 : 0));
      properties[key] = required.includes(key) ? converted : this.optional(converted, property, inner);
      this.properties += 1;
      this.chars += key.length;
    }
    schema.properties = properties;
    schema.required = Object.keys(properties);
    schema.additionalProperties = false;
  }

  private optional(converted: Json, property: unknown, path: string): Json {
    const hasNullDefault = isJsonObject(property) && property.default === null;
    if (!hasNullDefault && jsonAcceptsNull(property, this.root))
      throw new Obstacle(path, 'optional and nullable at once cannot be told apart in strict mode');
    return withNull(converted);
  }

  private items(given: Json, path: string, level: number): Json {
    const at = `${path}[]`;
    if (!Array.isArray(given.prefixItems)) {
      if (given.items === undefined) throw new Obstacle(at, 'items of any type cannot be said in strict mode');
      return this.convert(given.items, at, level + (isNesting(given.items) ? 1 : 0));
    }
    const kinds = new Map<string, Json>();
    for (const item of [...(given.prefixItems as unknown[]), ...(isJsonObject(given.items) ? [given.items] : [])]) {
      const converted = this.convert(item, at, level + (isNesting(item) ? 1 : 0));
      kinds.set(JSON.stringify(converted), converted);
    }
    const [first, ...others] = kinds.values();
    if (first === undefined) throw new Obstacle(at, 'items of any type cannot be said in strict mode');
    return others.length === 0 ? first : { anyOf: [first, ...others] };
  }

  private untyped(given: Json, schema: Json, path: string, level: number): Json {
    if (isJsonObject(given.properties)) return this.convert({ type: 'object', ...given }, path, level);
    if (given.items !== undefined || given.prefixItems !== undefined) return this.convert({ type: 'array', ...given }, path, level);
    const { enum: listed, const: only, ...rest } = schema;
    const values: readonly unknown[] | undefined = Array.isArray(listed) ? listed : 'const' in given ? [only] : undefined;
    if (values === undefined) throw new Obstacle(path, 'a value of any type cannot be said in strict mode');
    const byType = new Map<string, unknown[]>();
    for (const value of values) {
      if (typeof value === 'object' && value !== null) throw new Obstacle(path, 'an object as a constant cannot be said in strict mode');
      const type = typeName(value as string);
      byType.set(type, [...(byType.get(type) ?? []), value]);
    }
    const branches = [...byType].map(([type, members]) => (type === 'null' ? { type } : { type, enum: members }));
    return branches.length === 1 ? { ...branches[0], ...rest } : { anyOf: branches, ...rest };
  }

  private countValues(schema: Json, path: string): void {
    const values: readonly unknown[] | undefined = Array.isArray(schema.enum)
      ? schema.enum
      : 'const' in schema
        ? [schema.const]
        : undefined;
    if (values === undefined) return;
    const chars = values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
    if (values.length > LIMITS.valuesInOne && chars > LIMITS.charsInOne)
      throw new Obstacle(path, `strict mode allows ${LIMITS.charsInOne} characters in an enum of more than ${LIMITS.valuesInOne} values`);
    this.values += values.length;
    this.chars += chars;
  }
}

/** Whether a value without parts is said in both dialects alike. */
function isSaidAlike(given: Json): boolean {
  for (const key in given) if (!SAID_ALIKE.has(key)) return false;
  return given.type === 'string' || given.type === 'number' || given.type === 'integer' || given.type === 'boolean';
}

const mentions = (type: unknown, name: string): boolean => type === name || (Array.isArray(type) && type.includes(name));

const isNesting = (schema: unknown): boolean =>
  isJsonObject(schema) && (schema.type === 'object' || schema.type === 'array' || schema.anyOf !== undefined || Array.isArray(schema.type));

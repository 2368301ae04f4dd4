import { UsageError } from '../errors/usage-error';
import type { JsonSchema } from '../types/json';
import { generateText } from './generate-text';
import { Random } from './random';
import { jsonText } from './transcript-text';

/** Beyond this depth only what is required is made, and alternatives are tried from the shortest. */
const DEEP = 4;
const DEEPEST = 30;
const MOST_ITEMS = 4;

/**
 * A value that is valid for a JSON Schema: formats, patterns, bounds, multiples, unions, references and recursion included.
 * @param seed the same seed gives the same value
 * @throws UsageError for a schema that nothing satisfies, or whose pattern cannot be met by construction
 * @example generateArguments({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }, 1)
 */
export function generateArguments(schema: JsonSchema, seed: number): unknown {
  return new Generator(schema, new Random(seed)).value(schema, 0);
}

type Schema = { readonly [keyword: string]: unknown };

class Generator {
  constructor(
    private readonly root: Schema,
    private readonly random: Random,
  ) {}

  value(given: unknown, depth: number): unknown {
    if (given === true || given === undefined) return this.word();
    if (given === false || typeof given !== 'object' || given === null)
      throw new UsageError(`Nothing satisfies the schema ${jsonText(given)}.`);
    if (depth > DEEPEST) throw new UsageError('The schema has no finite value: it requires itself.');
    const schema = this.merged(given as Schema);
    if ('const' in schema) return schema['const'];
    if (Array.isArray(schema['enum'])) return this.random.pick(schema['enum'] as unknown[]);
    const options = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(options)) return this.oneOf(schema, options as unknown[], depth);
    switch (this.typeOf(schema, depth)) {
      case 'string':
        return generateText(
          {
            format: text(schema['format']),
            pattern: text(schema['pattern']),
            minLength: number(schema['minLength']) ?? 0,
            maxLength: number(schema['maxLength']) ?? Infinity,
          },
          this.random,
        );
      case 'integer':
        return this.number(schema, true);
      case 'number':
        return this.number(schema, false);
      case 'boolean':
        return this.random.chance(0.5);
      case 'null':
        return null;
      case 'array':
        return this.array(schema, depth);
      case 'object':
        return this.object(schema, depth);
      default:
        return this.word();
    }
  }

  /** A schema with what it refers to, and with all that must hold at once, in one. */
  private merged(schema: Schema, hops = 0): Schema {
    if (hops > DEEPEST) throw new UsageError(`The reference ${jsonText(schema['$ref'])} goes in circles.`);
    const { $ref, allOf, ...own } = schema;
    let all: Schema = own;
    if (typeof $ref === 'string') all = combined(this.merged(this.pointed($ref), hops + 1), all);
    if (Array.isArray(allOf)) for (const part of allOf) all = combined(all, this.merged(part as Schema, hops + 1));
    return all;
  }

  private pointed(reference: string): Schema {
    let at: unknown = this.root;
    for (const key of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
      const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name))
        throw new UsageError(`The schema refers to nothing: ${reference}.`);
      at = (at as Schema)[name];
    }
    return at as Schema;
  }

  private oneOf(schema: Schema, options: readonly unknown[], depth: number): unknown {
    const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
    const order =
      depth >= DEEP
        ? options.slice().sort((one, other) => jsonText(one).length - jsonText(other).length)
        : [this.random.pick(options), ...options];
    let failure: unknown;
    for (const option of order) {
      try {
        return this.value(
          typeof option === 'object' && option !== null ? combined(rest, this.merged(option as Schema)) : option,
          depth + 1,
        );
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  private typeOf(schema: Schema, depth: number): unknown {
    const { type } = schema;
    if (Array.isArray(type)) return depth >= DEEP && type.includes('null') ? 'null' : this.random.pick(type as unknown[]);
    if (type !== undefined) return type;
    if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) return 'object';
    if ('items' in schema || 'prefixItems' in schema || 'minItems' in schema) return 'array';
    if ('minimum' in schema || 'maximum' in schema || 'multipleOf' in schema) return 'number';
    return 'string';
  }

  private number(schema: Schema, whole: boolean): number {
    const step = number(schema['multipleOf']) ?? (whole ? 1 : undefined);
    const over = number(schema['exclusiveMinimum']);
    const under = number(schema['exclusiveMaximum']);
    const low = Math.max(number(schema['minimum']) ?? -Infinity, over ?? -Infinity);
    const high = Math.min(number(schema['maximum']) ?? Infinity, under ?? Infinity);
    const from = low === -Infinity ? (high === Infinity ? -1_000 : high - 1_000) : low;
    const to = high === Infinity ? from + 2_000 : high;
    const fits = (value: number): boolean => value >= low && value <= high && value !== over && value !== under;
    const unit = step === undefined ? undefined : whole && !Number.isInteger(step) ? step * denominator(step) : step;
    for (let attempt = 0; attempt < 200; attempt++) {
      const drawn = from + this.random.next() * (to - from);
      const value = unit === undefined ? drawn : exact(unit, Math.round(drawn / unit));
      if (fits(value)) return value === 0 ? 0 : value;
    }
    const edge = unit === undefined ? from : exact(unit, Math.ceil(from / unit));
    if (fits(edge)) return edge;
    if (unit !== undefined && fits(edge + unit)) return edge + unit;
    throw new UsageError(`No number satisfies ${jsonText(schema)}.`);
  }

  private array(schema: Schema, depth: number): unknown[] {
    const prefix = Array.isArray(schema['prefixItems']) ? (schema['prefixItems'] as unknown[]) : [];
    const least = number(schema['minItems']) ?? 0;
    const closed = schema['items'] === false || (prefix.length > 0 && schema['items'] === undefined);
    const most = Math.min(number(schema['maxItems']) ?? Infinity, closed ? prefix.length : Infinity);
    const wanted = Math.min(most, depth >= DEEP ? least : this.random.between(least, Math.max(least, MOST_ITEMS)));
    const items: unknown[] = [];
    const seen = new Set<string>();
    for (let attempt = 0; items.length < wanted && attempt < 50 * wanted; attempt++) {
      const item = this.value(prefix[items.length] ?? schema['items'], depth + 1);
      if (schema['uniqueItems'] === true && seen.has(jsonText(item))) continue;
      seen.add(jsonText(item));
      items.push(item);
    }
    if (items.length < least) throw new UsageError(`There are no ${least} different items for ${jsonText(schema)}.`);
    return items;
  }

  private object(schema: Schema, depth: number): object {
    const properties = (schema['properties'] ?? {}) as Schema;
    const required = new Set((schema['required'] ?? []) as readonly string[]);
    const made = new Map<string, unknown>();
    const additional = schema['additionalProperties'];
    for (const name of new Set([...Object.keys(properties), ...required])) {
      if (!required.has(name) && (depth >= DEEP || this.random.chance(0.4))) continue;
      made.set(name, this.value(Object.hasOwn(properties, name) ? properties[name] : additional, depth + 1));
    }
    const least = Math.max(
      number(schema['minProperties']) ?? 0,
      typeof additional === 'object' && depth < DEEP ? made.size + this.random.between(0, 2) : 0,
    );
    const most = number(schema['maxProperties']) ?? Infinity;
    for (let attempt = 0; additional !== false && made.size < Math.min(least, most) && attempt < 50; attempt++)
      made.set(this.word(), this.value(additional, depth + 1));
    return Object.fromEntries(made);
  }

  private word(): string {
    return generateText({ format: undefined, pattern: undefined, minLength: 3, maxLength: 8 }, this.random);
  }
}

/** Two schemas that must hold at once; the stricter bound of each kind. */
function combined(one: Schema, other: Schema): Schema {
  const all: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = all[key];
    if (before === undefined) all[key] = value;
    else if (key === 'properties') all[key] = { ...(before as Schema), ...(value as Schema) };
    else if (key === 'required') all[key] = [...new Set([...(before as string[]), ...(value as string[])])];
    else if (/^(min|exclusiveMin)/.test(key)) all[key] = Math.max(Number(before), Number(value));
    else if (/^(max|exclusiveMax)/.test(key)) all[key] = Math.min(Number(before), Number(value));
    else all[key] = value;
  }
  return all;
}

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** `0.1 * 3` without the error of the machine. */
function exact(unit: number, count: number): number {
  const scale = denominator(unit);
  return (Math.round(unit * scale) * count) / scale;
}

function denominator(value: number): number {
  let scale = 1;
  while (scale < 1e9 && !Number.isInteger(Number((value * scale).toPrecision(12)))) scale *= 10;
  return scale;
}

import { UsageError } from '../errors/usage-error';
import type { JsonSchema } from '../types/json';
import { describeValue } from './describe-value';
import { formatCheck, formatNames } from './formats';
import { adaptToSchema } from './json-adaptation';
import { nearestName } from '../errors/nearest-name';
import { matcherOf, patternOf } from './pattern';
import { resolvePointer } from './schema-references';
import type { RawNode } from './type-node';
import { DeveloperError, pathText, type Decoder, type Walk } from './walk';

/** What is read of Ajv; structural, so that no typings are imported. */
interface AjvError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: { readonly [name: string]: unknown };
}
interface Validate {
  (value: unknown): boolean | Promise<unknown>;
  errors?: readonly AjvError[] | null;
}
interface Ajv {
  compile(schema: object): Validate;
  addFormat(name: string, check: (text: string) => boolean): unknown;
}
type AjvClass = new (options: object) => Ajv;

/** What to do where a raw schema is declared and Ajv is not there. */
export const AJV_INSTALL = 'Raw JSON Schema is checked with Ajv, an optional peer. Run `npm install ajv`.';
const instances = new Map<string, Ajv>();

/** Checks against a raw JSON Schema with Ajv, which is loaded at the first call. */
export function rawDecoder(node: RawNode): Decoder {
  let validate: Validate | undefined;
  return (value, walk) => {
    const adapted = adaptToSchema(value, node.schema, walk, false);
    if (walk.faults.length > 0) return undefined;
    try {
      // Without a name of its own, a schema that Ajv does not keep cannot refer to itself by `#`.
      validate ??= ajvFor(node.schema).compile({ $id: 'raw', ...node.schema });
    } catch (error) {
      if (error instanceof UsageError) throw new DeveloperError(error);
      const why = error instanceof Error ? error.message.slice(0, 500) : 'unknown';
      throw new DeveloperError(
        new UsageError(`A raw JSON Schema cannot be used: ${why}. Correct the schema given to jsonSchema(...).`, { cause: error }),
      );
    }
    if (validate(adapted) === true) return adapted;
    for (const error of validate.errors ?? []) tell(error, adapted, node.schema, walk);
    return walk.faults.length > 0 ? undefined : walk.refuse('a value that fits its schema', adapted);
  };
}

/** Whether Ajv can be loaded; found out without loading it. */
export function isAjvInstalled(): boolean {
  try {
    require.resolve('ajv/dist/2020');
    return true;
  } catch {
    return false;
  }
}

function ajvFor(schema: JsonSchema): Ajv {
  const draft = typeof schema.$schema === 'string' ? schema.$schema : '';
  const entry = /draft-0[467]/.test(draft) ? 'ajv' : /2019-09/.test(draft) ? 'ajv/dist/2019' : 'ajv/dist/2020';
  const known = instances.get(entry);
  if (known !== undefined) return known;
  let loaded: AjvClass & { readonly default?: AjvClass };
  try {
    loaded = require(entry) as typeof loaded;
  } catch (cause) {
    throw new UsageError(AJV_INSTALL, { cause });
  }
  // A schema from elsewhere may carry any pattern and any `$id`: patterns are bounded, schemas are not kept.
  const ajv = new (loaded.default ?? loaded)({
    strict: false,
    allErrors: true,
    // What the schema promises the model about what it may leave out; the value is a copy by now.
    useDefaults: true,
    logger: false,
    addUsedSchema: false,
    validateSchema: false,
    code: { regExp: boundedRegExp },
  });
  for (const format of formatNames()) ajv.addFormat(format, formatCheck(format)!);
  instances.set(entry, ajv);
  return ajv;
}

const boundedRegExp = Object.assign(
  (source: string) => {
    const matches = matcherOf(patternOf(source));
    return { test: (text: string): boolean => matches(text) === true, toString: (): string => `pattern ${source}` };
  },
  { code: 'undefined' },
);

function tell(error: AjvError, value: unknown, schema: JsonSchema, walk: Walk): void {
  // What a combined or referring keyword says repeats what its branches said.
  if (error.keyword === 'if') return;
  const keys = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  let here = value;
  const path: (string | number)[] = [];
  for (const key of keys) {
    path.push(Array.isArray(here) ? Number(key) : key);
    here = typeof here === 'object' && here !== null && Object.hasOwn(here, key) ? (here as Record<string, unknown>)[key] : undefined;
  }
  const whole = (...more: string[]): string => pathText([...walk.path, ...path, ...more]);
  const { params, keyword } = error;
  if (keyword === 'required')
    walk.fault({
      path: whole(String(params.missingProperty)),
      expected: expectedOf(schema, path, String(params.missingProperty)),
      got: 'nothing',
    });
  else if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const key = String(params.additionalProperty ?? params.unevaluatedProperty);
    const near = nearestName(key, Object.keys((subschema(schema, path)?.properties as object | undefined) ?? {}));
    walk.fault({
      path: whole(key),
      expected: 'no such key',
      got: 'an unknown key',
      ...(near === undefined ? {} : { hint: `did you mean ${near}?` }),
    });
  } else walk.fault({ path: whole(), expected: expectedBy(error), got: describeValue(here) });
}

function expectedBy({ keyword, params, message }: AjvError): string {
  const list = (values: unknown): string =>
    (values as unknown[])
      .slice(0, 12)
      .map((value) => JSON.stringify(value))
      .join(', ')
      .slice(0, 250);
  if (keyword === 'type')
    return (Array.isArray(params.type) ? params.type : String(params.type).split(','))
      .map((type) => (type === 'null' ? 'null' : withArticle(String(type))))
      .join(' or ');
  if (keyword === 'enum') return `one of ${list(params.allowedValues)}`;
  if (keyword === 'const') return list([params.allowedValue]);
  return `a value that ${message ?? 'fits its schema'}`;
}

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

function expectedOf(schema: JsonSchema, path: readonly (string | number)[], key: string): string {
  const type = subschema(schema, [...path, key])?.type;
  return typeof type === 'string' ? withArticle(type) : 'a value';
}

/** The schema of a path through plain properties and items; good enough for a help. */
function subschema(root: JsonSchema, path: readonly (string | number)[]): Record<string, unknown> | undefined {
  let at: unknown = root;
  for (const key of path) {
    at = step(at, key, root);
    if (at === undefined) return undefined;
  }
  return typeof at === 'object' && at !== null ? (at as Record<string, unknown>) : undefined;
}

function step(schema: unknown, key: string | number, root: JsonSchema): unknown {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { $ref, items, properties } = schema as { $ref?: unknown; items?: unknown; properties?: Record<string, unknown> };
  if (typeof $ref === 'string') return step(resolvePointer($ref, root), key, {});
  if (typeof key === 'number') return items;
  return properties !== undefined && typeof properties === 'object' && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

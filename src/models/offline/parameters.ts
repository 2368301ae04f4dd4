import type { ModelTool } from '../model';
import { termsOf } from './words';

/** What a parameter is for, as far as its schema and its words say. */
type ParameterKind = 'enum' | 'boolean' | 'integer' | 'number' | 'date' | 'email' | 'url' | 'path' | 'query' | 'text' | 'object' | 'other';

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly kind: ParameterKind;
  readonly members: readonly unknown[];
  /** Wraps one value into a list where the schema asks for one. */
  readonly list: boolean;
  /** The stems of its name and description. */
  readonly terms: readonly string[];
}

type Schema = { readonly [keyword: string]: unknown };

const PATH_WORDS = new Set(
  termsOf('path file filename filepath folder directory dir document doc page location relative located locate uri lives'),
);
const QUERY_WORDS = new Set(
  termsOf(
    'query text term word pattern phrase keyword search symbol string needle identifier find match contain look sought seek subject topic',
  ),
);
const TEXT_WORDS = new Set(termsOf('body message content comment reply note sentence'));
const DEEPEST = 8;

/** A tool's parameters. Foreign schemas are read as far as they make sense; the rest is `other`. */
export function parametersOf(tool: ModelTool): readonly Parameter[] {
  const root = asSchema(tool.parameters);
  const properties = asSchema(root['properties']);
  const required = Array.isArray(root['required']) ? new Set<unknown>(root['required']) : new Set<unknown>();
  return Object.keys(properties).map((name) => parameterOf(name, properties[name], required.has(name), root));
}

function parameterOf(name: string, given: unknown, required: boolean, root: Schema): Parameter {
  const outer = resolved(given, root);
  const list = typeOf(outer) === 'array';
  const schema = list ? resolved(outer['items'], root) : outer;
  const described = [asSchema(given)['description'], outer['description'], schema['description']].find((text) => typeof text === 'string');
  const description = typeof described === 'string' ? described : '';
  const nameTerms = termsOf(name);
  const members = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : 'const' in schema ? [schema['const']] : [];
  return {
    name,
    description,
    required,
    kind: members.length > 0 ? 'enum' : kindOf(schema, nameTerms, termsOf(description)),
    members,
    list,
    terms: [...nameTerms, ...termsOf(description)],
  };
}

function kindOf(schema: Schema, name: readonly string[], description: readonly string[]): ParameterKind {
  const type = typeOf(schema);
  if (type === 'boolean' || type === 'integer' || type === 'number') return type;
  if (type !== 'string') return type === undefined ? 'other' : 'object';
  switch (schema['format']) {
    case 'date':
    case 'date-time':
      return 'date';
    case 'email':
      return 'email';
    case 'uri':
    case 'url':
      return 'url';
  }
  // A name says more than the sentence around it.
  const weight = (words: ReadonlySet<string>): number =>
    3 * name.filter((term) => words.has(term)).length + description.filter((term) => words.has(term)).length;
  const path = weight(PATH_WORDS);
  const query = weight(QUERY_WORDS);
  if (path === 0 && query === 0) return weight(TEXT_WORDS) > 0 ? 'text' : 'other';
  return path > query ? 'path' : 'query';
}

function typeOf(schema: Schema): string | undefined {
  const type = schema['type'];
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? (type as unknown[]).find((one): one is string => typeof one === 'string' && one !== 'null') : undefined;
}

/** Follows local references and takes the first alternative that is not null. */
function resolved(given: unknown, root: Schema): Schema {
  let schema = asSchema(given);
  for (let depth = 0; depth < DEEPEST; depth++) {
    const reference = schema['$ref'];
    const options = schema['anyOf'] ?? schema['oneOf'];
    if (typeof reference === 'string') schema = pointed(reference, root);
    else if (Array.isArray(options)) schema = asSchema((options as unknown[]).find((option) => asSchema(option)['type'] !== 'null'));
    else return schema;
  }
  return {};
}

function pointed(reference: string, root: Schema): Schema {
  let at: unknown = root;
  for (const key of reference.replace(/^#\/?/, '').split('/')) {
    if (key === '') continue;
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return {};
    at = (at as Schema)[key];
  }
  return asSchema(at);
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

/** Whether a parameter takes the place of a folder rather than of a file. */
export function wantsDirectory(parameter: Parameter): boolean {
  return parameter.terms.some((term) => FOLDER.has(term));
}

const FOLDER = new Set(termsOf('folder directory dir'));

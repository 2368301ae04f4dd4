import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { generateArguments } from '../../src/testing';
import type { JsonSchema } from '../../src/types/json';

const ajv = new Ajv2020({ strict: false, logger: false, multipleOfPrecision: 9 });
addFormats(ajv);

const text = (rules: object): JsonSchema => ({ type: 'string', ...rules });
const schemas: readonly (readonly [string, JsonSchema])[] = [
  ...[
    'date',
    'date-time',
    'time',
    'duration',
    'uuid',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uri',
    'uri-reference',
    'json-pointer',
    'regex',
  ].map((format) => [`format ${format}`, text({ format })] as const),
  ['a format with a least length', text({ format: 'uri', minLength: 60 })],
  ['a format of nobody', text({ format: 'colour', minLength: 2 })],
  ['lengths', text({ minLength: 5, maxLength: 6 })],
  ['one length', text({ minLength: 3, maxLength: 3 })],
  ['an empty text', text({ maxLength: 0 })],
  ...[
    '^[A-Z]{2}-\\d{3,5}$',
    '^(red|green|blue)s?$',
    '^\\w+@\\w+\\.(com|org)$',
    'foo',
    '^[^\\s,]{1,8}$',
    '^\\p{Lu}\\p{Ll}+$',
    '^a?b*c+$',
    '^(?:x[yz]){2}$',
    '^\\$\\d+\\.\\d{2}$',
    '^[\\w.-]+$',
  ].map((pattern) => [`pattern ${pattern}`, text({ pattern })] as const),
  ['a pattern and a length', text({ pattern: '^[a-z]+$', minLength: 30, maxLength: 32 })],
  ['an open pattern and a length', text({ pattern: 'ab', minLength: 9 })],
  ['a whole number', { type: 'integer', minimum: 1, maximum: 3 }],
  ['a whole number without bounds', { type: 'integer' }],
  ['open bounds', { type: 'integer', exclusiveMinimum: 4, exclusiveMaximum: 6 }],
  ['multiples', { type: 'number', multipleOf: 0.1, minimum: 0, maximum: 1 }],
  ['multiples of whole numbers', { type: 'integer', multipleOf: 7, minimum: 8, maximum: 14 }],
  ['far bounds', { type: 'integer', minimum: 1_000_000, maximum: 1_000_001 }],
  ['a small range', { type: 'number', minimum: 0.25, maximum: 0.25 }],
  ['enum', { enum: ['a', 1, null, true] }],
  ['const', { const: { a: [1] } }],
  ['several types', { type: ['string', 'null', 'integer'] }],
  ['no type', {}],
  [
    'union',
    {
      anyOf: [
        { type: 'integer', minimum: 3 },
        { type: 'object', properties: { a: { const: 1 } }, required: ['a'] },
      ],
    },
  ],
  ['bounds beside a union', { minimum: 5, anyOf: [{ type: 'integer' }, { type: 'number', maximum: 6 }] }],
  [
    'all of',
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'integer' } }, required: ['b'] },
      ],
    },
  ],
  ['lists', { type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 3 }],
  ['different items', { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true }],
  ['tuples', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2, maxItems: 2 }],
  ['records', { type: 'object', additionalProperties: { type: 'number' }, minProperties: 2 }],
  [
    'closed objects',
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a'], additionalProperties: false },
  ],
  [
    'recursion',
    {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
          required: ['name', 'children'],
        },
      },
    },
  ],
  [
    'recursion by a union',
    {
      $ref: '#/$defs/list',
      $defs: {
        list: { anyOf: [{ type: 'object', properties: { next: { $ref: '#/$defs/list' } }, required: ['next'] }, { type: 'null' }] },
      },
    },
  ],
  [
    'hostile names',
    JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}},"required":["__proto__","constructor"]}',
    ) as JsonSchema,
  ],
];

describe('generated arguments are valid for their own schema', () => {
  it.each(schemas)('%s', (_title, schema) => {
    const validate = ajv.compile(schema);
    for (let seed = 0; seed < 100; seed++) {
      const value = generateArguments(schema, seed);
      if (!validate(value)) throw new Error(`seed ${seed}: ${JSON.stringify(value)} ${ajv.errorsText(validate.errors)}`);
    }
  });

  it('gives the same value for the same seed, and others for others', () => {
    const schema = text({ minLength: 10 });
    expect(generateArguments(schema, 7)).toBe(generateArguments(schema, 7));
    expect(new Set(Array.from({ length: 20 }, (_, seed) => generateArguments(schema, seed))).size).toBe(20);
  });

  it.each<readonly [string, JsonSchema, RegExp]>([
    ['a schema that nothing satisfies', { type: 'integer', minimum: 3, maximum: 2 }, /No number/],
    ['bounds between which there is no multiple', { type: 'integer', multipleOf: 10, minimum: 11, maximum: 19 }, /No number/],
    ['an object that requires itself', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }, /no finite value/],
    ['a reference in circles', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, /in circles/],
    ['a reference to nowhere', { $ref: '#/$defs/a' }, /refers to nothing/],
    ['a look-around', text({ pattern: '^(?=a)b' }), /look-arounds/],
    ['a closed schema', { type: 'array', items: false, minItems: 1 }, /different items|Nothing satisfies/],
  ])('says so for %s', (_title, schema, why) => {
    expect(() => generateArguments(schema, 1)).toThrow(why);
  });
});

import { Integer, ToolContext, ToolDefinitionError, arrayOf, defineTool, jsonSchema } from 'toolwright';
import { z } from 'zod';

const context = { callId: 'c1' } as ToolContext;

test('a shape, its options and defaults become the contract', async () => {
  const options = Object.freeze({
    name: 'book',
    description: 'Books a room',
    parameters: Object.freeze({
      city: 'City name',
      nights: { type: Integer, default: 2 },
      tags: arrayOf(String),
      kind: { enum: ['a', 'b'], optional: true } as const,
    }),
    execute: (args: unknown, ctx: ToolContext) => [args, ctx.callId],
  });
  const tool = defineTool(options as never) as ReturnType<typeof defineTool>;
  expect(tool).toMatchObject({ name: 'book', label: 'Book', owner: "defineTool('book')", home: undefined });
  expect(tool.contract.schema).toMatchObject({
    properties: {
      city: { type: 'string', description: 'City name' },
      nights: { type: 'integer', default: 2 },
      tags: { type: 'array' },
      kind: { enum: ['a', 'b'] },
    },
    required: ['city', 'tags'],
  });
  expect(await tool.contract.decode({ city: 'Oslo', tags: ['x'] })).toEqual({ ok: true, value: { city: 'Oslo', nights: 2, tags: ['x'] } });
  expect(tool.call(undefined, { a: 1 }, context)).toEqual([{ a: 1 }, 'c1']);
});

test('a Standard Schema, raw JSON Schema, or nothing at all', async () => {
  const zod = defineTool({ name: 'zod', description: 'x', parameters: z.object({ n: z.number() }), execute: ({ n }) => n });
  expect(zod.contract.schema).toMatchObject({ type: 'object', properties: { n: { type: 'number' } } });
  expect(await zod.contract.decode({ n: 1 })).toEqual({ ok: true, value: { n: 1 } });
  const raw = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'], additionalProperties: false };
  expect(
    defineTool({ name: 'raw', description: 'x', parameters: jsonSchema<{ n: number }>(raw), execute: ({ n }) => n }).contract.schema,
  ).toEqual(raw);
  expect(defineTool({ name: 'none', description: 'x', execute: () => 1 }).contract.schema).toMatchObject({
    type: 'object',
    properties: {},
  });
});

test('`execute` and `preview` see their own object as `this`', () => {
  const tool = defineTool({
    name: 'self',
    description: 'x',
    execute(): string {
      return (this as { name: string }).name;
    },
    preview: () => 'would',
  });
  expect(tool.call(undefined, {}, context)).toBe('self');
  expect(tool.preview?.(undefined, {}, context)).toBe('would');
});

test('parameters may refer to a class further down: they are read when the tool is first listed', () => {
  const early = defineTool({ name: 'early', description: 'x', parameters: { later: { type: () => Later } }, execute: () => 1 });
  class Later {}
  expect(() => early.contract).not.toThrow(ReferenceError);
});

const run = (): number => 1;

test.each([
  [{ name: 'my tool', description: 'x', execute: run }, /"my tool" is not legal/],
  [{ description: 'x', execute: run }, /`name` is missing/],
  [{ name: 'a', execute: run }, /`description` is missing/],
  [{ name: 'a', description: 'x' }, /`execute` is missing/],
  [{ name: 'a', description: 'x', execute: 3 }, /`execute` must be a function/],
  [{ name: 'a', description: 'x', execute: run, params: {} }, /`params`/],
  [{ name: 'a', description: 'x', execute: run, timeout: -1 }, /`timeout`/],
  [undefined, /takes an object of options/],
  ['a', /takes an object of options/],
])('%j is refused at once', (options, message) => {
  expect(() => defineTool(options as never)).toThrow(ToolDefinitionError);
  expect(() => defineTool(options as never)).toThrow(message);
});

test('raw JSON Schema in place of a shape, and entries that say nothing, are told', () => {
  const raw = defineTool({ name: 'a', description: 'x', parameters: { type: 'object', properties: {} } as never, execute: run });
  expect(() => raw.contract).toThrow(/raw JSON Schema.*\n.*jsonSchema</);
  const odd = defineTool({ name: 'a', description: 'x', parameters: { b: 3 } as never, execute: run });
  expect(() => odd.contract).toThrow(/parameter `b`: it is neither/);
});

test('the arguments of a tool are one object, and say so', () => {
  const tool = (parameters: Parameters<typeof defineTool>[0]['parameters']) =>
    defineTool({ name: 'find', description: 'Finds.', parameters, execute: () => 1 }).contract;
  expect(tool(z.union([z.object({ id: z.number() }), z.object({ name: z.string() })])).schema).toMatchObject({ type: 'object' });
  expect(tool(jsonSchema<unknown>({})).schema).toEqual({ type: 'object' });
  for (const parameters of [z.string(), String, arrayOf(String), jsonSchema<unknown>({ anyOf: [{ type: 'object' }, { type: 'string' }] })])
    expect(() => tool(parameters)).toThrow(/the arguments of a tool are one object/);
});

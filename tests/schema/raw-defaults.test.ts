import { typeContract } from '../../src/schema/type-contract';
import { jsonSchema } from '../../src/types/type-spec';

test('what a raw schema gives as a default is filled in, at every depth, and the value that came stays as it is', async () => {
  const contract = typeContract(
    jsonSchema<unknown>({
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: 'integer', default: 10 },
        filter: { type: 'object', properties: { open: { type: 'boolean', default: true }, tags: { type: 'array', default: [] } } },
      },
      required: ['query'],
      additionalProperties: false,
    }),
    () => undefined,
  );
  const sent = Object.freeze({ query: 'a', filter: Object.freeze({}) });
  const one = await contract.decode(sent);
  expect(one).toEqual({ ok: true, value: { query: 'a', limit: 10, filter: { open: true, tags: [] } } });
  expect(sent).toEqual({ query: 'a', filter: {} });
  (one as { value: { filter: { tags: string[] } } }).value.filter.tags.push('mine');
  expect(await contract.decode(sent)).toEqual({ ok: true, value: { query: 'a', limit: 10, filter: { open: true, tags: [] } } });
});

import { arrayOf, Integer, nullable } from '../../src/types/type-spec';
import { contractOf, refusals, valueOf } from '../schema/contracts';

test('D28: quoted values are read without loss, on a copy, and the copy is what comes out', () => {
  const contract = contractOf({ count: { type: Integer }, flag: { type: Boolean }, tags: { type: arrayOf(String) } });
  const sent = Object.freeze({ count: '42', flag: 'false', tags: '["a"]' });
  expect(valueOf(contract.decode(sent))).toEqual({ count: 42, flag: false, tags: ['a'] });
  expect(refusals(contract.decode({ ...sent, count: '42.5' }))).toEqual(['count: an integer']);
  expect(refusals(contract.decode({ ...sent, count: '' }))).toEqual(['count: an integer']);
});

test('D29: null is absence for optional, a value for nullable, a fault for required', () => {
  const contract = contractOf({ q: { type: String }, limit: { type: Integer, default: 10 }, note: { type: nullable(String) } });
  expect(valueOf(contract.decode({ q: 'x', limit: null, note: null }))).toEqual({ q: 'x', limit: 10, note: null });
  expect(refusals(contract.decode({ q: null, note: null }))).toEqual(['q: a string']);
});

test('D31: a nullable enum with the default null names null once in its type, and in its values', () => {
  const contract = contractOf({ color: { enum: ['red', 'blue'], default: null } });
  const color = { type: ['string', 'null'], enum: ['red', 'blue', null] };
  expect(contract.schema.properties).toEqual({ color: { ...color, default: null } });
  expect(contract.strict).toMatchObject({ properties: { color }, required: ['color'] });
  expect(valueOf(contract.decode({}))).toEqual({ color: null });
});

test('D75: a key named __proto__ gives no arguments that were not sent', () => {
  const decoded = contractOf({ q: { type: String } }).decode(JSON.parse('{"__proto__":{"admin":true},"q":"x"}'));
  expect(refusals(decoded)).toHaveLength(1);
});

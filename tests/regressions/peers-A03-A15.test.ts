import { call, pass, scope, tool } from '../invocation/scope';

test('A03: hooks see a call of an unknown tool like any other', async () => {
  const seen: string[] = [];
  const run = scope([tool('t', () => 1)], { hooks: [{ afterTool: (_, record) => void seen.push(record.outcome) }] });
  await pass(call('nobody'), run);
  expect(seen).toEqual(['unknown']);
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])('A15: %s is no tool', async (name) => {
  const result = await pass(call(name), scope([tool('t', () => 1)]));
  expect(result).toMatchObject({ executed: false, record: { outcome: 'unknown' } });
});

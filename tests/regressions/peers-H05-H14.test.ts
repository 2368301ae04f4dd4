import { anything, call, pass, scope, textOf, tool } from '../invocation/scope';

test('H05: whether approval is needed is asked once per call', async () => {
  const requiresApproval = jest.fn(() => true);
  await pass(call('t'), scope([tool('t', () => 1, { requiresApproval })], { approver: () => ({ edit: { n: 1 } }) }));
  expect(requiresApproval).toHaveBeenCalledTimes(1);
});

test('H06: a predicate sees only arguments that fit, and one that throws means yes', async () => {
  const requiresApproval = jest.fn(() => {
    throw new Error('x');
  });
  const contract = { ...anything, decode: () => ({ ok: false as const, faults: [{ path: 'n', expected: 'a number', got: 'nothing' }] }) };
  expect((await pass(call('t'), scope([tool('t', () => 1, { requiresApproval, contract })]))).record.outcome).toBe('invalid');
  expect(requiresApproval).not.toHaveBeenCalled();
  expect((await pass(call('t'), scope([tool('t', () => 1, { requiresApproval })]))).record.reason).toBe('approval_unavailable');
});

test('H14: a rejection says that a person refused and that trying again is no use; their words are kept', async () => {
  const words = 'Not before  Friday — "sorry".';
  const text = textOf(
    await pass(call('t'), scope([tool('t', () => 1, { requiresApproval: true })], { approver: () => ({ deny: words }) })),
  );
  expect(text).toMatch(/refused/);
  expect(text).toMatch(/Do not try it again/);
  expect(text).toContain(words);
});

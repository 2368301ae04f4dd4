import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

test('an agent runs over a model of the AI SDK 7, in a process of its own', () => {
  const args = ['-r', 'ts-node/register/transpile-only', join(__dirname, 'newest-major.ts')];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    cwd: join(__dirname, '../..'),
    timeout: 60_000,
  });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  const said = JSON.parse(stdout) as { readonly prompts: readonly (readonly object[])[] };
  expect(said).toMatchObject({
    text: 'Cold.',
    outcomes: ['ok'],
    usage: { requests: 2, inputTokens: 20, outputTokens: 10, cachedTokens: 4 },
  });
  const [, user, assistant, results] = said.prompts[1]!;
  expect(user).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: 'Coat?' },
      { type: 'file', mediaType: 'image/*', data: { type: 'url', url: 'https://example.com/sky.png' } },
      { type: 'file', mediaType: 'text/plain', filename: 'a.txt', data: { type: 'data', data: 'aGk=' } },
    ],
  });
  expect(assistant).toEqual({
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Oslo is north.', providerOptions: { mock: { signature: 's' } } },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'current_weather', input: { city: 'Oslo' } },
    ],
  });
  expect(results).toMatchObject({ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'current_weather' }] });
});

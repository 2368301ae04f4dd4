/** How many pieces of text a question asks for in its final answer: `chunks=2000` in the first user message; `undefined` by default. */
export function chunksAsked(body: string): number | undefined {
  const asked = /chunks=(\d+)/.exec(body)?.[1];
  return asked === undefined ? undefined : Number(asked);
}

/** An answer in so many pieces, each an event of its own. */
export function* longAnswer(chunks: number): Generator<string, void, undefined> {
  for (let at = 0; at < chunks; at++) yield chunk({ content: `word${at} ` });
  yield chunk({}, 'stop');
  yield DONE;
}

const event = (choices: readonly object[], more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`;
const chunk = (delta: object, finish: string | null = null): string => event([{ index: 0, delta, finish_reason: finish }]);
const DONE = 'data: [DONE]\n\n';

/** The tool turns that a question asks for: `turns=50` in the first user message; 1 by default. `calls=10` asks for that many calls in each. */
export function chatAnswer(body: string): string {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] };
  const question = JSON.stringify(messages.find((message) => message.role === 'user')?.content);
  const turns = Number(/turns=(\d+)/.exec(question)?.[1] ?? 1);
  const calls = Number(/calls=(\d+)/.exec(question)?.[1] ?? 1);
  const asked = messages.filter((message) => message.role === 'assistant').length;
  const usage = event([], { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
  if (asked >= turns)
    return chunk({ role: 'assistant', content: 'It is ' }) + chunk({ content: '2 degrees.' }) + chunk({}, 'stop') + usage + DONE;
  const asks = Array.from({ length: calls }, (_, index) => ({
    index,
    id: `call_${asked}_${index}`,
    type: 'function',
    function: { name: 'current_weather', arguments: JSON.stringify({ city: `Oslo ${asked} ${index}` }) },
  }));
  return chunk({ role: 'assistant', content: null, tool_calls: asks }) + chunk({}, 'tool_calls') + usage + DONE;
}

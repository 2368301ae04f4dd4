/** What a model says in one turn, whatever the API that it says it over. */
export interface Turn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly cutOff?: boolean;
}

/** The parts of the AI SDK's stream; only how it ends differs between its versions. */
export function sdkParts(turn: Turn, version: 'v2' | 'v3' | 'v4'): object[] {
  const reason = turn.cutOff === true ? 'length' : turn.calls === undefined ? 'stop' : 'tool-calls';
  const calls = (turn.calls ?? []).flatMap((call, at) => [
    // With its pieces, and without.
    ...(at > 0
      ? []
      : [
          { type: 'tool-input-start', id: call.id, toolName: call.name },
          { type: 'tool-input-delta', id: call.id, delta: call.arguments.slice(0, 3) },
          { type: 'tool-input-delta', id: call.id, delta: call.arguments.slice(3) },
          { type: 'tool-input-end', id: call.id },
        ]),
    { type: 'tool-call', toolCallId: call.id, toolName: call.name, input: call.arguments },
  ]);
  const usage =
    version === 'v2'
      ? { inputTokens: 10, outputTokens: 5, totalTokens: 15 }
      : { inputTokens: { total: 10, noCache: 8, cacheRead: 2, cacheWrite: 0 }, outputTokens: { total: 5, text: 5, reasoning: 0 } };
  return [
    { type: 'stream-start', warnings: [] },
    ...(turn.reasoning === undefined
      ? []
      : [
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-delta', id: 'r', delta: turn.reasoning },
          { type: 'reasoning-end', id: 'r', providerMetadata: { mock: { signature: 's' } } },
        ]),
    ...(turn.text === undefined
      ? []
      : [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: turn.text },
          { type: 'text-end', id: 't' },
        ]),
    ...calls,
    { type: 'finish', usage, finishReason: version === 'v2' ? reason : { unified: reason, raw: reason } },
  ];
}

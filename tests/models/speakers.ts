import { MockLanguageModelV2, convertArrayToReadableStream as streamV2 } from 'ai-5/test';
import { MockLanguageModelV3, convertArrayToReadableStream as streamV3 } from 'ai-6/test';
import { OpenAIChatModel, OpenAIResponsesModel, promptedTools, type Model } from 'toolwright';
import { aiSdkModel } from 'toolwright/ai-sdk';
import { sdkParts, type Turn } from '../ai-sdk/sdk-parts';
import { delta, Loopback, sse } from './loopback';

export type { Turn };

export interface Speaker {
  readonly model: Model;
  /** How many requests were made. */
  readonly asked: () => number;
  readonly stop: () => Promise<void>;
}

export type Speak = (turns: readonly Turn[]) => Promise<Speaker>;

async function served(replies: readonly string[], make: (baseURL: string) => Model): Promise<Speaker> {
  const server = await Loopback.start();
  server.reply(...replies.map((reply) => ({ pieces: [reply] })));
  return { model: make(server.baseURL), asked: () => server.requests.length, stop: () => server.stop() };
}

const finishOf = (turn: Turn): string => (turn.cutOff === true ? 'length' : turn.calls === undefined ? 'stop' : 'tool_calls');

function chatStream(turn: Turn): string {
  return sse([
    ...(turn.reasoning === undefined ? [] : [delta({ reasoning_content: turn.reasoning })]),
    ...(turn.text === undefined ? [] : [delta({ content: turn.text })]),
    ...(turn.calls ?? []).map((call, index) =>
      delta({ tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }] }),
    ),
    delta({}, finishOf(turn)),
    { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } },
  ]);
}

function responsesStream(turn: Turn): string {
  const output = [
    ...(turn.reasoning === undefined
      ? []
      : [{ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: turn.reasoning }], encrypted_content: 'e' }]),
    ...(turn.text === undefined ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: turn.text }] }]),
    ...(turn.calls ?? []).map((call) => ({
      type: 'function_call',
      id: `fc_${call.id}`,
      call_id: call.id,
      name: call.name,
      arguments: call.arguments,
    })),
  ];
  const type = turn.cutOff === true ? 'response.incomplete' : 'response.completed';
  const response = {
    object: 'response',
    status: turn.cutOff === true ? 'incomplete' : 'completed',
    ...(turn.cutOff === true ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    output,
    usage: { input_tokens: 10, output_tokens: 5 },
  };
  const items = output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item }));
  return [...items, { type, response }].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

/** A model without tool calls writes them into its text. */
function written(turn: Turn): string {
  const calls = (turn.calls ?? []).map((call) => `<tool_call>{"name": "${call.name}", "arguments": ${call.arguments}}</tool_call>`);
  return chatStream({ text: [...(turn.text === undefined ? [] : [turn.text]), ...calls].join('\n'), cutOff: turn.cutOff ?? false });
}

export const SPEAKERS: readonly (readonly [string, Speak])[] = [
  ['chat completions', (turns) => served(turns.map(chatStream), (baseURL) => new OpenAIChatModel({ model: 'm', apiKey: 'k', baseURL }))],
  [
    'responses',
    (turns) => served(turns.map(responsesStream), (baseURL) => new OpenAIResponsesModel({ model: 'gpt-5', apiKey: 'k', baseURL })),
  ],
  [
    'prompted tools',
    (turns) =>
      served(turns.map(written), (baseURL) =>
        promptedTools(new OpenAIChatModel({ model: 'm', apiKey: 'k', baseURL, capabilities: { tools: false } })),
      ),
  ],
  [
    'the AI SDK 5',
    (turns) => {
      const mock = new MockLanguageModelV2({ doStream: turns.map((turn) => ({ stream: streamV2(sdkParts(turn, 'v2') as never[]) })) });
      return Promise.resolve({ model: aiSdkModel(mock), asked: () => mock.doStreamCalls.length, stop: () => Promise.resolve() });
    },
  ],
  [
    'the AI SDK 6',
    (turns) => {
      const mock = new MockLanguageModelV3({ doStream: turns.map((turn) => ({ stream: streamV3(sdkParts(turn, 'v3') as never[]) })) });
      return Promise.resolve({ model: aiSdkModel(mock), asked: () => mock.doStreamCalls.length, stop: () => Promise.resolve() });
    },
  ],
];

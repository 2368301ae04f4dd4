import type OpenAI from 'openai';
import type { AgentRunner } from 'toolwright';
import { WeatherAgent } from './agents';
import { compare, median, report, reportComparison } from './measure';

const CHUNKS = 2000;
const QUESTION = `Tell a story. chunks=${CHUNKS}`;
/** Paced by the server, so that the first piece is there long before the last. */
const PACED = `${QUESTION} paced`;

/** The stream as one would read it by hand over the `openai` package. */
async function plainStream(client: OpenAI, question: string, onText?: () => void): Promise<string> {
  const stream = await client.chat.completions.create({
    model: 'm',
    messages: [{ role: 'user', content: question }],
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = '';
  for await (const chunk of stream) {
    const piece = chunk.choices[0]?.delta?.content;
    if (piece === undefined || piece === null) continue;
    if (text === '') onText?.();
    text += piece;
  }
  return text;
}

/** The same through a run whose events somebody reads. */
async function ourStream(runner: AgentRunner, question: string, onText?: () => void): Promise<string> {
  let text = '';
  for await (const event of runner.stream(WeatherAgent, question)) {
    if (event.type !== 'model.delta') continue;
    if (text === '') onText?.();
    text += event.text;
  }
  return text;
}

async function timeToFirst(read: (onText: () => void) => Promise<string>): Promise<number> {
  const began = performance.now();
  let first = 0;
  await read(() => (first = performance.now() - began));
  return first;
}

/** Answers of 2 000 pieces, each read as an event of a run, against the client's own loop. */
export async function streaming(runners: { readonly lean: AgentRunner; readonly client: AgentRunner }, client: OpenAI): Promise<boolean> {
  const { lean } = runners;
  const rounds = { rounds: 11, runs: 8 };
  let good = reportComparison(
    await compare(
      '2 000 chunks, client of openai',
      () => ourStream(runners.client, QUESTION),
      () => plainStream(client, QUESTION),
      { ...rounds, bound: 1.15 },
    ),
  );
  good =
    reportComparison(
      await compare(
        '2 000 chunks, lean transport',
        () => ourStream(lean, QUESTION),
        () => plainStream(client, QUESTION),
        { ...rounds, bound: 0.5 },
      ),
    ) && good;
  const ours: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < 21; round++) {
    const sides = [
      async () => ours.push(await timeToFirst((onText) => ourStream(lean, PACED, onText))),
      async () => plain.push(await timeToFirst((onText) => plainStream(client, PACED, onText))),
    ];
    for (const side of round % 2 === 0 ? sides : sides.reverse()) await side();
  }
  return (
    report('time to the first delta against plain', median(ours) / median(plain), 1.1, '×', `ours ${median(ours).toFixed(2)} ms`) && good
  );
}

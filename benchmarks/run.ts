import { fork } from 'node:child_process';
import { join } from 'node:path';
import OpenAI from 'openai';
import { AgentRunner, OpenAIChatModel } from 'toolwright';
import { agentWithTools, inProcessModel, plainTools, weather, WeatherAgent } from './agents';
import { chatAnswer } from './chat-answer';
import { compareColdStart } from './cold-start';
import { concurrency } from './concurrency';
import { heapFigures } from './heap';
import { compare, report, reportComparison } from './measure';
import { streaming } from './streaming';
import { suiteOfAgents } from './suite';
import { PLAIN_WEATHER, plainModelLoop, plainOpenAILoop } from './plain-loops';

const inProcessFetch = (_url: unknown, init?: { body?: unknown }): Promise<Response> =>
  Promise.resolve(new Response(chatAnswer(String(init?.body)), { headers: { 'content-type': 'text/event-stream' } }));

async function withServer(use: (baseURL: string) => Promise<void>): Promise<void> {
  const server = fork(join(__dirname, 'chat-server.ts'), { execArgv: process.execArgv.filter((arg) => !arg.startsWith('--expose')) });
  const port = await new Promise<unknown>((resolve) => server.once('message', resolve));
  try {
    await use(`http://127.0.0.1:${String(port)}/v1`);
  } finally {
    server.kill();
  }
}

async function main(): Promise<void> {
  const wanted = process.argv[2] ?? '';
  const chosen = (name: string): boolean => name.includes(wanted);
  let good = true;
  const note = (holds: boolean): void => void (good = good && holds);

  const runner = new AgentRunner({ model: inProcessModel });
  if (chosen('in-process'))
    note(
      reportComparison(
        await compare(
          'one tool call, in-process model',
          () => runner.run(WeatherAgent, 'Coat in Oslo?'),
          () => plainModelLoop(inProcessModel, weather, 'Coat in Oslo?'),
          { rounds: 15, runs: 1500, bound: 6.5 },
        ),
      ),
    );

  const inProcess = new OpenAI({ apiKey: 'none', baseURL: 'http://in.process/v1', fetch: inProcessFetch, maxRetries: 0 });
  const client = new AgentRunner({ model: new OpenAIChatModel({ model: 'm', client: inProcess }) });
  if (chosen('client')) {
    note(
      reportComparison(
        await compare(
          'one tool call, openai client over an in-process fetch',
          () => client.run(WeatherAgent, 'Coat in Oslo?'),
          () => plainOpenAILoop(inProcess, [PLAIN_WEATHER], weather, 'Coat in Oslo?'),
          { rounds: 15, runs: 200, bound: 1.3 },
        ),
      ),
    );
    note(
      reportComparison(
        await compare(
          '50 turns, openai client over an in-process fetch',
          () => client.run(WeatherAgent, 'turns=50'),
          () => plainOpenAILoop(inProcess, [PLAIN_WEATHER], weather, 'turns=50'),
          { rounds: 9, runs: 12, bound: 1.15 },
        ),
      ),
    );
  }

  if (['http', 'tools', 'stream', 'concurrent'].some(chosen))
    await withServer(async (baseURL) => {
      const http = new OpenAI({ apiKey: 'none', baseURL, maxRetries: 0 });
      const over = new AgentRunner({ model: new OpenAIChatModel({ model: 'm', client: http }) });
      const lean = new AgentRunner({ model: new OpenAIChatModel({ model: 'm', apiKey: 'none', baseURL }) });
      if (chosen('http')) {
        note(
          reportComparison(
            await compare(
              'one tool call, over HTTP',
              () => over.run(WeatherAgent, 'Coat in Oslo?'),
              () => plainOpenAILoop(http, [PLAIN_WEATHER], weather, 'Coat in Oslo?'),
              { rounds: 15, runs: 100, bound: 1.15 },
            ),
          ),
        );
        note(
          reportComparison(
            await compare(
              'one tool call, over HTTP with the lean transport',
              () => lean.run(WeatherAgent, 'Coat in Oslo?'),
              () => plainOpenAILoop(http, [PLAIN_WEATHER], weather, 'Coat in Oslo?'),
              { rounds: 15, runs: 100, bound: 0.55 },
            ),
          ),
        );
        const five = agentWithTools(500);
        const literal = plainTools(500, PLAIN_WEATHER);
        note(
          reportComparison(
            await compare(
              '500 tools, one call, over HTTP',
              () => over.run(five, 'Coat in Oslo?'),
              () => plainOpenAILoop(http, literal, weather, 'Coat in Oslo?'),
              { rounds: 11, runs: 25, bound: 1.1 },
            ),
          ),
        );
      }
      if (chosen('tools'))
        note(
          reportComparison(
            await compare(
              '1 000 tools declared, resolved and sent in a first run',
              () => over.run(agentWithTools(1000), 'Coat in Oslo?'),
              () => plainOpenAILoop(http, plainTools(1000, PLAIN_WEATHER), weather, 'Coat in Oslo?'),
              { rounds: 41, runs: 3, bound: 3 },
            ),
          ),
        );
      if (chosen('stream')) note(await streaming({ lean, client: over }, http));
      if (chosen('concurrent')) note(await concurrency(over, http, lean));
    });

  if (chosen('heap')) note(await heapFigures(runner));
  if (chosen('suite')) note(suiteOfAgents());
  if (chosen('cold')) for (const figure of compareColdStart()) note(report(figure.name, figure.value, figure.bound, figure.unit));
  process.exitCode = good ? 0 : 1;
}

void main();

import { fork, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import OpenAI from 'openai';
import { AgentRunner, OpenAIChatModel } from 'toolwright';
import { agentWithTools, inProcessModel, plainTools, weather, WeatherAgent } from './agents';
import { chatAnswer } from './chat-answer';
import { compareColdStart } from './cold-start';
import { concurrency } from './concurrency';
import { heapFigures } from './heap';
import { compare, report, reportComparison, type Comparison } from './measure';
import { PLAIN_WEATHER, plainModelLoop, plainOpenAILoop } from './plain-loops';
import { streaming } from './streaming';
import { suiteOfAgents } from './suite';

/** A section's figures are printed; whether all of them hold comes back. */
type Section = () => Promise<boolean> | boolean;

const QUESTION = 'Coat in Oslo?';

const inProcessFetch = (_url: unknown, init?: { body?: unknown }): Promise<Response> =>
  Promise.resolve(new Response(chatAnswer(String(init?.body)), { headers: { 'content-type': 'text/event-stream' } }));

const modelOver = (client: OpenAI): AgentRunner => new AgentRunner({ model: new OpenAIChatModel({ model: 'm', client }) });

/** Who talks to the server: the plain loop's client, our loop over the same client, and over our own transport. */
interface OverHttp {
  readonly http: OpenAI;
  readonly client: AgentRunner;
  readonly lean: AgentRunner;
}

/** A section against a server in a process of its own. */
function overHttp(section: (sides: OverHttp) => Promise<boolean>): Section {
  return async () => {
    const server = fork(join(__dirname, 'chat-server.ts'), { execArgv: process.execArgv.filter((arg) => !arg.startsWith('--expose')) });
    const port = await new Promise<unknown>((resolve) => server.once('message', resolve));
    const baseURL = `http://127.0.0.1:${String(port)}/v1`;
    const http = new OpenAI({ apiKey: 'none', baseURL, maxRetries: 0 });
    const lean = new AgentRunner({ model: new OpenAIChatModel({ model: 'm', apiKey: 'none', baseURL }) });
    try {
      return await section({ http, client: modelOver(http), lean });
    } finally {
      server.kill();
    }
  };
}

const all = async (...comparisons: (() => Promise<Comparison>)[]): Promise<boolean> => {
  let good = true;
  for (const comparison of comparisons) good = reportComparison(await comparison()) && good;
  return good;
};

/** By name: each runs in a process of its own, so that none inherits another's heap and compiled code. */
const SECTIONS: { readonly [name: string]: Section } = {
  'in-process': () => {
    const runner = new AgentRunner({ model: inProcessModel });
    const ours = (): unknown => runner.run(WeatherAgent, QUESTION);
    const plain = (): unknown => plainModelLoop(inProcessModel, weather, QUESTION);
    return all(() => compare('one tool call, in-process model', ours, plain, { rounds: 15, runs: 1500, bound: 6.5 }));
  },
  client: () => {
    const client = new OpenAI({ apiKey: 'none', baseURL: 'http://in.process/v1', fetch: inProcessFetch, maxRetries: 0 });
    const runner = modelOver(client);
    const ours = (input: string) => (): unknown => runner.run(WeatherAgent, input);
    const plain = (input: string) => (): unknown => plainOpenAILoop(client, [PLAIN_WEATHER], weather, input);
    const one = 'one tool call, openai client over an in-process fetch';
    const fifty = '50 turns, openai client over an in-process fetch';
    return all(
      () => compare(one, ours(QUESTION), plain(QUESTION), { rounds: 15, runs: 200, bound: 1.3 }),
      () => compare(fifty, ours('turns=50'), plain('turns=50'), { rounds: 9, runs: 12, bound: 1.15 }),
    );
  },
  http: overHttp(({ http, client, lean }) => {
    const plain = (): unknown => plainOpenAILoop(http, [PLAIN_WEATHER], weather, QUESTION);
    const viaClient = (): unknown => client.run(WeatherAgent, QUESTION);
    const viaLean = (): unknown => lean.run(WeatherAgent, QUESTION);
    const agent = agentWithTools(500);
    const literals = plainTools(500, PLAIN_WEATHER);
    const withMany = (): unknown => client.run(agent, QUESTION);
    const plainWithMany = (): unknown => plainOpenAILoop(http, literals, weather, QUESTION);
    return all(
      () => compare('one tool call, over HTTP', viaClient, plain, { rounds: 25, runs: 100, bound: 1.15 }),
      () => compare('one tool call, over HTTP with the lean transport', viaLean, plain, { rounds: 25, runs: 100, bound: 0.55 }),
      // Last: large requests are too few to compile all that the small ones have compiled.
      () => compare('500 tools, one call, over HTTP', withMany, plainWithMany, { rounds: 25, runs: 25, bound: 1.1 }),
    );
  }),
  '1000-tools': overHttp(({ http, client }) => {
    const ours = (): unknown => client.run(agentWithTools(1000), QUESTION);
    const plain = (): unknown => plainOpenAILoop(http, plainTools(1000, PLAIN_WEATHER), weather, QUESTION);
    return all(() => compare('1 000 tools declared, resolved and sent in a first run', ours, plain, { rounds: 41, runs: 3, bound: 3 }));
  }),
  stream: overHttp(({ http, client, lean }) => streaming({ lean, client }, http)),
  concurrent: overHttp(({ http, client, lean }) => concurrency(client, http, lean)),
  heap: () => heapFigures(new AgentRunner({ model: inProcessModel })),
  suite: suiteOfAgents,
  cold: () =>
    compareColdStart()
      .map((figure) => report(figure.name, figure.value, figure.bound, figure.unit))
      .every(Boolean),
};

async function main(wanted: string | undefined): Promise<boolean> {
  if (wanted !== undefined) {
    const section = Object.hasOwn(SECTIONS, wanted) ? SECTIONS[wanted] : undefined;
    if (section === undefined) throw new Error(`There is no section ${wanted}. Sections: ${Object.keys(SECTIONS).join(', ')}.`);
    return section();
  }
  const statuses = Object.keys(SECTIONS).map(
    (name) => spawnSync(process.execPath, [...process.execArgv, __filename, name], { stdio: 'inherit' }).status,
  );
  return statuses.every((status) => status === 0);
}

void main(process.argv[2]).then((good) => {
  process.exitCode = good ? 0 : 1;
});

import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type OpenAI from 'openai';
import { Agent, AgentConfig, Param, Tool, type AgentRunner } from 'toolwright';
import { weather, WeatherAgent } from './agents';
import { median, report, WARM_UP } from './measure';
import { PLAIN_WEATHER, plainOpenAILoop } from './plain-loops';

const slowWeather = (city: string): Promise<object> => new Promise((resolve) => setTimeout(() => resolve(weather(city)), 50));

@AgentConfig({ instructions: 'You answer questions about the weather.', parallelToolCalls: true })
class SlowAgent extends Agent {
  @Tool({ description: 'Current weather for a city.', annotations: { readOnly: true } })
  currentWeather(@Param('city', 'City name') city: string): Promise<object> {
    return slowWeather(city);
  }
}

const ROUNDS = 9;

interface Burst {
  readonly perSecond: number;
  readonly blocked: number;
}

async function burst(count: number, start: () => Promise<unknown>): Promise<Burst> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  await Promise.all(Array.from({ length: count }, start));
  const seconds = (performance.now() - began) / 1000;
  delay.disable();
  return { perSecond: count / seconds, blocked: delay.max / 1e6 };
}

/** Many runs at once, and many tools at once, against the plain loop. */
export async function concurrency(runner: AgentRunner, client: OpenAI, lean: AgentRunner): Promise<boolean> {
  let good = true;
  const ours = (): Promise<unknown> => runner.run(WeatherAgent, 'Coat in Oslo?');
  const plain = (): Promise<unknown> => plainOpenAILoop(client, [PLAIN_WEATHER], weather, 'Coat in Oslo?');
  for (const count of [100, 1000]) {
    const warm = performance.now() + WARM_UP;
    while (performance.now() < warm) {
      await burst(count, ours);
      await burst(count, plain);
    }
    const rounds: { ours: Burst; plain: Burst }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const first = round % 2 === 0;
      const a = first ? await burst(count, ours) : undefined;
      const b = await burst(count, plain);
      rounds.push({ ours: a ?? (await burst(count, ours)), plain: b });
    }
    const slowdown = median(rounds.map((round) => round.plain.perSecond / round.ours.perSecond));
    const blocking = median(rounds.map((round) => round.ours.blocked / round.plain.blocked));
    good = report(`${count} concurrent runs over HTTP, time against plain`, slowdown, 1 / 0.85, '×') && good;
    good = report(`${count} concurrent runs, longest event-loop delay against plain`, blocking, 1, '×') && good;
  }
  const bursts: { lean: Burst; plain: Burst }[] = [];
  await burst(1000, () => lean.run(WeatherAgent, 'Coat in Oslo?'));
  for (let round = 0; round < 7; round++) {
    const plainBurst = await burst(1000, plain);
    bursts.push({ lean: await burst(1000, () => lean.run(WeatherAgent, 'Coat in Oslo?')), plain: plainBurst });
  }
  const leanBlocking = median(bursts.map((round) => round.lean.blocked / round.plain.blocked));
  good = report('1000 concurrent runs, lean transport, event-loop delay', leanBlocking, 0.5, '×') && good;
  const took: { ours: number; plain: number }[] = [];
  for (let round = 0; round < 15; round++) {
    const time = async (work: () => Promise<unknown>): Promise<number> => {
      const began = performance.now();
      await work();
      return performance.now() - began;
    };
    took.push({
      ours: await time(() => runner.run(SlowAgent, 'calls=10')),
      plain: await time(() => plainOpenAILoop(client, [PLAIN_WEATHER], slowWeather, 'calls=10', true)),
    });
  }
  const detail = `plain ${median(took.map((one) => one.plain)).toFixed(1)} ms`;
  return report('ten parallel tools of 50 ms over HTTP', median(took.map((one) => one.ours)), 58, ' ms', detail) && good;
}

import type { AgentRunner, Model, ModelRequest } from 'toolwright';
import { inProcessModel, WeatherAgent } from './agents';
import { report } from './measure';
import { plainModelLoop } from './plain-loops';

const settled = async (): Promise<number> => {
  for (let pass = 0; pass < 4; pass++) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
};

/** Live heap of a run in flight, and growth over many runs. Needs `--expose-gc`. */
export async function heapFigures(runner: AgentRunner): Promise<boolean> {
  if (globalThis.gc === undefined) throw new Error('Run with --expose-gc.');
  const waiting = async (start: (model: Model) => Promise<unknown>): Promise<number> => {
    const count = 500;
    let release!: () => void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const held: Model = {
      ...inProcessModel,
      async *stream(request: ModelRequest) {
        if (request.messages[request.messages.length - 1]?.role === 'tool') await gate;
        yield* inProcessModel.stream(request);
      },
    };
    await start(inProcessModel);
    const before = await settled();
    const runs = Array.from({ length: count }, () => start(held));
    const bytes = ((await settled()) - before) / count;
    release();
    await Promise.all(runs);
    return bytes / 1000;
  };
  const plain = await waiting((model) => plainModelLoop(model, (city) => ({ city }), 'Coat in Oslo?'));
  const ours = await waiting((model) => runner.run(WeatherAgent, 'Coat in Oslo?', { model }));
  const good = report('live heap of a run in flight', ours, 14, ' kB', `plain loop ${plain.toFixed(1)} kB`);

  const controller = new AbortController();
  const many = async (count: number): Promise<void> => {
    for (let run = 0; run < count; run++) await runner.run(WeatherAgent, 'Coat in Oslo?', { signal: controller.signal });
  };
  await many(5000);
  const before = await settled();
  await many(20_000);
  const growth = ((await settled()) - before) / 20_000;
  return report('heap growth per run over 20 000 runs', growth, 50, ' B') && good;
}

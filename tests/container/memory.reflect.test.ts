import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Container, Service } from 'typedi';
import { Agent, AgentRunner, Tool } from '../../src';
import { containerOf } from '../../src/container/container-of';
import { say, scripted } from '../../src/testing';

@Service()
class Http {}
@Service()
class Forecasts {
  constructor(readonly http: Http) {}
}
@Service({ transient: true })
class Draft {
  constructor(readonly forecasts: Forecasts) {}
}

interface Insides {
  readonly instances: readonly unknown[];
  readonly handlers: readonly unknown[];
  readonly globalInstance: { readonly services: readonly unknown[] };
}

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

/** Lets the collector finish: references are kept until the current turn of the event loop ends. */
async function collected(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  collect();
}

test('a thousand forks leave nothing in typedi and nothing in memory', async () => {
  const base = containerOf();
  const { instances, handlers, globalInstance } = Container as unknown as Insides;
  base.get(Forecasts);
  const before = [instances.length, handlers.length, globalInstance.services.length];
  const forks: WeakRef<object>[] = [];
  const built: WeakRef<object>[] = [];
  for (let run = 0; run < 1_000; run++) {
    const fork = base.fork([{ provide: Http, useValue: { run } }]);
    built.push(new WeakRef(fork.get(Forecasts) as Forecasts));
    forks.push(new WeakRef(fork));
    if (run % 2 === 0) await fork.close!();
  }
  await collected();

  expect([instances.length, handlers.length, globalInstance.services.length]).toEqual(before);
  // The last one may still stand in a register.
  expect(forks.filter((fork) => fork.deref() !== undefined).length).toBeLessThanOrEqual(1);
  expect(built.filter((service) => service.deref() !== undefined).length).toBeLessThanOrEqual(1);
});

test('what is transient is not kept by the container that built it', async () => {
  const base = containerOf();
  const drafts = Array.from({ length: 100 }, () => new WeakRef(base.get(Draft) as Draft));
  await collected();

  expect(drafts.filter((draft) => draft.deref() !== undefined).length).toBeLessThanOrEqual(1);
});

describe('a class made for one request', () => {
  const alive = (things: readonly WeakRef<object>[]): number => things.filter((thing) => thing.deref() !== undefined).length;

  test('goes with its instance, also from a fork whose override it takes', async () => {
    const base = containerOf();
    const fork = base.fork([{ provide: Http, useValue: { faked: true } }]);
    const made = Array.from({ length: 100 }, (_, at) => {
      class Request {
        constructor(readonly http: Http) {}
      }
      Reflect.defineMetadata('design:paramtypes', [Http], Request);
      const instance = (at % 2 === 0 ? base : fork).get(Request) as Request;
      expect((at % 2 === 0 ? base : fork).get(Request)).toBe(instance);
      return [new WeakRef<object>(Request), new WeakRef<object>(instance)];
    }).flat();
    await collected();
    expect(alive(made)).toBeLessThanOrEqual(2);
  });

  test('is held where it has an end, and is ended', async () => {
    let ended = 0;
    const base = containerOf();
    const made = Array.from({ length: 10 }, () => {
      class Request {
        destroy(): void {
          ended++;
        }
      }
      return new WeakRef<object>(base.get(Request));
    });
    await collected();
    expect(alive(made)).toBe(10);
    await base.close();
    expect(ended).toBe(10);
    await collected();
    expect(alive(made)).toBeLessThanOrEqual(1);
  });
});

test('agents made for one request leave nothing in the runner', async () => {
  const runner = new AgentRunner({ model: scripted(Array.from({ length: 20 }, () => say('Hello.'))) });
  const agents: WeakRef<object>[] = [];
  for (let run = 0; run < 20; run++) {
    class Once extends Agent {
      @Tool('Says hello.')
      hello(): string {
        return 'Hello.';
      }
    }
    await runner.run(Once, 'Hi');
    agents.push(new WeakRef(Once));
  }
  await collected();
  expect(agents.filter((agent) => agent.deref() !== undefined).length).toBeLessThanOrEqual(1);
});

import type { CallContext } from './call-context';

/** A tool written as a generator, asynchronous or not: its yields are updates, its return value is the result. */
export type Running = AsyncGenerator<unknown, unknown> | Generator<unknown, unknown>;

/** Whether a tool returned a generator. Compiled to older targets, an asynchronous one is known only by its methods. */
export function isGenerator(value: unknown): value is Running {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.prototype.toString.call(value) === '[object Generator]') return true;
  const { next, return: close, [Symbol.asyncIterator]: iterate } = value as Partial<AsyncGenerator>;
  return typeof next === 'function' && typeof close === 'function' && typeof iterate === 'function';
}

/** After so many yields in a row others get their turn: one that never waits would keep every timer from firing. */
const PATIENCE = 100;

/** Runs a generator to its end. It is closed when the attempt is over before it is. */
export async function drain(running: Running, context: CallContext): Promise<unknown> {
  for (let yields = 1; ; yields++) {
    const step = await running.next();
    if (step.done === true) return step.value;
    context.update(await yielded(step.value, running));
    if (yields % PATIENCE === 0) await new Promise((resolve) => setImmediate(resolve));
    if (context.isOver) {
      await running.return(undefined);
      return undefined;
    }
  }
}

/** What a generator yielded. One that yields a promise which fails is closed, as a loop over it would do. */
async function yielded(value: unknown, running: Running): Promise<unknown> {
  try {
    return await value;
  } catch (error) {
    await running.return(undefined);
    throw error;
  }
}

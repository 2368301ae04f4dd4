import { types } from 'node:util';
import { errorText } from '../errors/error-facts';
import { ToolwrightError } from '../errors/toolwright-error';
import { lineage, ownFacts } from '../metadata/facts';

/** How long one service may take to end, in milliseconds. */
const DISPOSAL_TIMEOUT = 10_000;

const METHODS = [Symbol.asyncDispose, Symbol.dispose, 'destroy', 'dispose'] as const;

/**
 * Ends services one after the other, in the order given: by the first of `Symbol.asyncDispose`, `Symbol.dispose`, `destroy`
 * and `dispose` that each has. One that fails or hangs does not keep the others from their end.
 * @throws ToolwrightError with code `DISPOSAL` after all were tried; `cause` is an `AggregateError` of what they threw
 */
export async function disposeAll(services: readonly unknown[], timeout = DISPOSAL_TIMEOUT): Promise<void> {
  const failures: { readonly service: string; readonly error: unknown }[] = [];
  for (const service of services) {
    try {
      await within(timeout, dispose(service));
    } catch (error) {
      failures.push({ service: nameOf(service), error });
    }
  }
  if (failures.length === 0) return;
  const lines = failures.map(({ service, error }) => `  ${service}: ${errorText(error)}`);
  throw new ToolwrightError('DISPOSAL', [`${failures.length} of the services could not be ended.`, ...lines].join('\n'), {
    cause: new AggregateError(failures.map((failure) => failure.error)),
    details: { services: failures.map((failure) => failure.service) },
  });
}

/** Whether a service may have to be ended. Nothing of its own is called: a method that it has may still turn out to be a tool. */
export function hasEnd(service: unknown): boolean {
  if ((typeof service !== 'object' && typeof service !== 'function') || service === null) return false;
  try {
    return METHODS.some((method) => method in service);
  } catch {
    // A proxy that refuses to tell.
    return true;
  }
}

async function dispose(held: unknown): Promise<void> {
  let service: unknown;
  try {
    // An async factory's service may still be on its way; one that never came needs no end.
    service = types.isPromise(held) ? await held : held;
  } catch {
    return;
  }
  if ((typeof service !== 'object' && typeof service !== 'function') || service === null) return;
  for (const method of METHODS) {
    const end: unknown = (service as Readonly<Record<PropertyKey, unknown>>)[method];
    if (typeof end !== 'function' || isTool(service, method)) continue;
    await (end as () => unknown).call(service);
    return;
  }
}

/** A tool named `destroy` is something for the model to call, and must not run because the process ends. */
function isTool(service: object, method: string | symbol): boolean {
  const cls: unknown = service.constructor;
  if (typeof cls !== 'function') return false;
  return lineage(cls).some((at) => {
    const facts = ownFacts(at);
    return facts.tools.some((tool) => tool.method === method) || facts.previews.some((preview) => preview.method === method);
  });
}

async function within(timeout: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not end within ${timeout} ms`)), timeout);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function nameOf(service: unknown): string {
  try {
    const cls: unknown = (service as object).constructor;
    return typeof cls === 'function' && cls.name !== '' ? cls.name : 'a service';
  } catch {
    return 'a service';
  }
}

import { types } from 'node:util';
import type { ServiceToken } from './container';
import type { InjectHandler } from './typedi-module';

/** What an `@Inject` handler asks its container for. */
export type Probed =
  | { readonly kind: 'token'; readonly token: ServiceToken; readonly many: boolean }
  | { readonly kind: 'custom'; readonly reaches: readonly ServiceToken[] }
  | { readonly kind: 'fault'; readonly what: string; readonly fix: string };

/** Stops a handler at its first question, before it can do anything with an answer. */
class Asked {
  constructor(
    readonly token: ServiceToken,
    readonly many: boolean,
  ) {}
}

/**
 * Tries a handler against a container that answers nothing: typedi does not keep what `@Inject` was given, only a function
 * that will fetch it. A handler that asks for one service first is known by that; any other is a decorator of the user's own.
 */
export function probe(handler: InjectHandler): Probed {
  const reaches: ServiceToken[] = [];
  const ask = (many: boolean) => (token: ServiceToken) => {
    reaches.push(token);
    // A signal to the code below, never seen by a caller.
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw new Asked(token, many);
  };
  try {
    const value = handler.value({ get: ask(false), getMany: ask(true), has: () => false });
    // An async decorator fails later, with our own signal; it must not surface as an unhandled rejection.
    if (types.isPromise(value)) value.catch(() => undefined);
    return { kind: 'custom', reaches };
  } catch (error) {
    if (error instanceof Asked) return { kind: 'token', token: error.token, many: error.many };
    if (reaches.length > 0) return { kind: 'custom', reaches };
    return faultOf(error) ?? { kind: 'custom', reaches };
  }
}

/** The mistakes with `@Inject` that typedi reports late and in its own terms. */
function faultOf(error: unknown): Probed | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'CannotInjectValueError' || error instanceof ReferenceError)
    return {
      kind: 'fault',
      what: 'the function given to `@Inject` gives no class: it is not there at run time, or an import cycle hides it',
      fix: 'import the class itself (not by `import type`) and write `@Inject(() => Dep)`',
    };
  if (error instanceof TypeError && error.message.includes("without 'new'"))
    return { kind: 'fault', what: '`@Inject` was given a class, and needs a function that gives it', fix: 'write `@Inject(() => Dep)`' };
  return undefined;
}

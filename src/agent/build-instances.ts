import { shown } from '../errors/option-check';
import { WiringError, type WiringFault } from '../errors/wiring-error';
import type { ClassToken, Container } from '../container/container';
import { className } from '../tools/class-chain';

/** The instances of some classes, by class. */
export type Instances = ReadonlyMap<Function, object>;

/**
 * Asks the container for each class. A promise only where the container gives one.
 * @throws WiringError with the faults of all classes; any other error as it is
 */
export function buildInstances(classes: readonly ClassToken[], container: Container, agent: string): Instances | Promise<Instances> {
  const built = new Map<Function, object>();
  const errors: unknown[] = [];
  const waiting: Promise<void>[] = [];
  const keep = (cls: ClassToken, got: unknown): void => {
    if ((typeof got === 'object' && got !== null) || typeof got === 'function') built.set(cls, got);
    else errors.push(notAnObject(cls, got));
  };
  for (const cls of classes) {
    try {
      const got: unknown = container.get(cls);
      if (got instanceof Promise) waiting.push(got.then((value) => keep(cls, value)).catch((error: unknown) => void errors.push(error)));
      else keep(cls, got);
    } catch (error) {
      errors.push(error);
    }
  }
  if (waiting.length > 0) return Promise.all(waiting).then(() => whole(built, errors, agent));
  return whole(built, errors, agent);
}

function whole(built: Instances, errors: readonly unknown[], agent: string): Instances {
  if (errors.length === 0) return built;
  const other = errors.find((error) => !WiringError.is(error));
  // As it is: the container's own errors, and whatever a constructor threw, are the caller's to read.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  if (other !== undefined) throw other;
  if (errors.length === 1) throw errors[0] as WiringError;
  const faults = new Map<string, WiringFault>();
  for (const error of errors as WiringError[]) for (const fault of error.faults) faults.set(`${fault.where}\n${fault.what}`, fault);
  throw new WiringError(agent, [...faults.values()], { cause: errors[0] });
}

function notAnObject(cls: Function, got: unknown): WiringError {
  const name = className(cls);
  return new WiringError(name, [
    {
      where: name,
      what: `the container gave ${shown(got)} for it, not an instance.`,
      fix: `a container whose get(${name}) returns an instance, or a promise of one`,
    },
  ]);
}

import { isRecord, checkOptions, type OptionRules } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';

// Mixins need exactly this constructor type; what a class takes is checked where a container builds it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyConstructor = abstract new (...args: any[]) => object;

const settingsByClass = new WeakMap<Function, unknown>();

/**
 * A class with settings of its own: a container builds it like the one it is made from, and two of them never see each other's.
 * It keeps the name, so that messages speak of the class that its author wrote.
 */
export function classWith<C extends AnyConstructor>(cls: C, settings: object): C {
  abstract class Configured extends cls {}
  Object.defineProperty(Configured, 'name', { value: cls.name, configurable: true });
  settingsByClass.set(Configured, Object.freeze(settings));
  return Configured;
}

/** The settings of a class, or of the nearest of its bases that has any. */
export function settingsOf<S>(cls: Function): S | undefined {
  for (let at: unknown = cls; typeof at === 'function'; at = Object.getPrototypeOf(at))
    if (settingsByClass.has(at)) return settingsByClass.get(at) as S;
  return undefined;
}

/**
 * Options of the host, checked.
 * @throws UsageError with everything that is wrong with them
 */
export function checkedSettings<O extends object>(options: O | undefined, rules: OptionRules, where: string): O {
  if (options === undefined) return {} as O;
  if (!isRecord(options)) throw new UsageError(`${where} takes an object of options.`);
  const faults: string[] = [];
  const sound = checkOptions(options, rules, where, (fault) => faults.push(`${fault.where}: ${fault.what} Write ${fault.fix}.`));
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return sound as O;
}

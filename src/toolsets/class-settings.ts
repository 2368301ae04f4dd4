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

import { UsageError } from '../errors/usage-error';
import { append } from '../metadata/facts';

/** Where a decorator was written, as a legacy call tells it. */
export interface Place {
  /** The class that owns it. */
  readonly cls: Function;
  readonly kind: 'class' | 'constructor parameter' | 'parameter' | 'method' | 'accessor' | 'property';
  readonly isStatic: boolean;
  /** The member's name; empty for the class itself and its constructor. */
  readonly member: string | symbol;
  /** The parameter's position, -1 for everything else. */
  readonly index: number;
}

/** A member of an instance with a plain name. */
type NamedPlace = Place & { readonly isStatic: false; readonly member: string };

/**
 * Reads the arguments of a decorator call.
 * @throws UsageError when it is no legacy decorator call: a standard one, or a plain call on something that is no class
 */
export function placeOf(decorator: string, target: unknown, key: unknown, third?: unknown): Place {
  if (typeof key === 'object' && key !== null && 'kind' in key) {
    throw new UsageError(
      `${decorator} was called as a standard decorator: set "experimentalDecorators": true (and "emitDecoratorMetadata": true) in tsconfig.json.`,
    );
  }
  const isStatic = typeof target === 'function';
  const cls = isStatic ? target : classOf(target);
  if (cls === undefined) throw new UsageError(`${decorator} is a decorator: write it in front of a class or a member of one.`);
  const member = typeof key === 'symbol' || typeof key === 'string' ? key : '';
  if (typeof third === 'number') {
    const kind = key === undefined ? 'constructor parameter' : 'parameter';
    return { cls, kind, isStatic: isStatic && key !== undefined, member, index: third };
  }
  if (key === undefined) return { cls, kind: 'class', isStatic: false, member, index: -1 };
  return { cls, kind: memberKind(target as object, member, third), isStatic, member, index: -1 };
}

/** A method, or a parameter of one, that belongs to instances and has a plain name. */
export function isOn(kind: 'method' | 'parameter' | 'property', place: Place): place is NamedPlace {
  return place.kind === kind && !place.isStatic && typeof place.member === 'string';
}

/** The class whose prototype this is. A plain object is nobody's, and `Object` itself must stay clean. */
function classOf(target: unknown): Function | undefined {
  if (typeof target !== 'object' || target === null || !Object.hasOwn(target, 'constructor')) return undefined;
  const cls: unknown = target.constructor;
  return typeof cls === 'function' && cls.prototype === target ? cls : undefined;
}

/** A decorator further down may have put an accessor in a method's place; the class still holds the method itself. */
function memberKind(target: object, member: string | symbol, passed: unknown): 'method' | 'accessor' | 'property' {
  const own = Object.getOwnPropertyDescriptor(target, member);
  const descriptor = own ?? (passed as PropertyDescriptor | undefined);
  if (typeof descriptor?.value === 'function') return 'method';
  return descriptor?.get !== undefined || descriptor?.set !== undefined ? 'accessor' : 'property';
}

/** Records that a decorator stands where it means nothing. */
export function recordMisplaced(decorator: string, belongs: string, place: Place): void {
  const [what, fix] = reason(decorator, belongs, place);
  recordFault(place, what, fix);
}

/** Records a fault of the declaration at this place; it is reported with all others of the class. */
export function recordFault(place: Place, what: string, fix: string): void {
  append(place.cls, 'misplaced', { where: described(place), what, fix });
}

/** `Weather.forecast, parameter #1`. */
function described({ cls, kind, isStatic, member, index }: Place): string {
  const owner = cls.name || '(anonymous class)';
  if (kind === 'class') return owner;
  if (kind === 'constructor parameter') return `${owner}, constructor parameter #${index}`;
  const name = typeof member === 'symbol' ? `[${String(member)}]` : `.${member}`;
  return `${isStatic ? 'static ' : ''}${owner}${name}${kind === 'parameter' ? `, parameter #${index}` : ''}`;
}

function reason(decorator: string, belongs: string, { kind, isStatic, member }: Place): [what: string, fix: string] {
  if (kind === 'constructor parameter') {
    return [
      `${decorator} stands on a constructor parameter, which the container injects.`,
      `Remove it; ${decorator} belongs on ${belongs}.`,
    ];
  }
  if (kind === 'class') return [`${decorator} stands on the class.`, `Move it to ${belongs}.`];
  if (isStatic) {
    return [`${decorator} stands on a static member, which belongs to no instance.`, 'Remove `static`.'];
  }
  if (typeof member === 'symbol') {
    return [`${decorator} stands on a member named by a symbol, but models know only text.`, 'Give the member a plain name.'];
  }
  return [`${decorator} stands on ${kind === 'accessor' ? 'an accessor' : `a ${kind}`}.`, `Move it to ${belongs}.`];
}

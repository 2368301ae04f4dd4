import { rememberClass } from './class-index';

/** Facts as the decorators found them: options are checked by whoever reads them, so that all faults of a class come together. */
export type RawOptions = Readonly<Record<string, unknown>>;

export interface ToolFact {
  readonly method: string;
  readonly options: RawOptions;
}

export interface ParameterFact {
  readonly method: string;
  readonly index: number;
  /** What the parameter is: part of the model's contract, all of it, or the context. */
  readonly role: 'param' | 'args' | 'context';
  /** The name written in `@Param`. */
  readonly name?: string;
  readonly options: RawOptions;
}

export interface FieldFact {
  readonly property: string;
  readonly options: RawOptions;
}

/** A decorator that stands where it means nothing. */
export interface MisplacedFact {
  readonly where: string;
  readonly what: string;
  readonly fix: string;
}

/** Everything that decorators said of one class itself; never of its bases. */
export interface ClassFacts {
  readonly tools: readonly ToolFact[];
  readonly parameters: readonly ParameterFact[];
  readonly fields: readonly FieldFact[];
  /** Tool method -> preview method. */
  readonly previews: readonly { readonly tool: string; readonly method: string }[];
  readonly agent?: RawOptions;
  readonly toolset?: RawOptions;
  readonly misplaced: readonly MisplacedFact[];
}

// The major version is part of the key: two majors in one tree do not share a shape.
const FACTS = Symbol.for('toolwright.v1.facts');
const NONE: ClassFacts = Object.freeze({ tools: [], parameters: [], fields: [], previews: [], misplaced: [] });

/** What decorators said of this class itself. */
export function ownFacts(cls: Function): ClassFacts {
  return Object.hasOwn(cls, FACTS) ? ((cls as { [FACTS]?: ClassFacts })[FACTS] ?? NONE) : NONE;
}

/** Records facts on the class that owns them: a new frozen entry each time, so nobody who read the old one sees it change. */
export function record(cls: Function, change: (facts: ClassFacts) => Partial<ClassFacts>): void {
  const before = ownFacts(cls);
  Object.defineProperty(cls, FACTS, { value: Object.freeze({ ...before, ...change(before) }), configurable: true, enumerable: false });
  rememberClass(cls);
}

/** A class and its bases, bases first. */
export function lineage(cls: Function): Function[] {
  const chain: Function[] = [];
  for (let at: unknown = cls; typeof at === 'function' && at !== Function.prototype; at = Object.getPrototypeOf(at)) chain.unshift(at);
  return chain;
}

import type { DefinitionFault } from '../errors/definition-error';
import { rememberClass } from './class-index';

/** Facts as the decorators found them: options are checked by whoever reads them, so that all faults of a class come together. */
export type RawOptions = Readonly<Record<string, unknown>>;

interface ToolFact {
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

interface FieldFact {
  readonly property: string;
  readonly options: RawOptions;
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
  /** Decorators that stand where they mean nothing. */
  readonly misplaced: readonly DefinitionFault[];
}

type Lists = { readonly [List in FactList]: ClassFacts[List][number][] };
type FactList = 'tools' | 'parameters' | 'fields' | 'previews' | 'misplaced';

/** A class's own entry: it grows while decorators run, and is read through frozen copies. */
interface Entry {
  readonly lists: Lists;
  config: Pick<ClassFacts, 'agent' | 'toolset'>;
  /** The copy that readers share until the next fact. */
  read: ClassFacts | undefined;
}

// The major version is part of the key: two majors in one tree do not share a shape.
const FACTS = Symbol.for('toolwright.v1.facts');
const SEALED = Symbol.for('toolwright.v1.sealed');
const NONE: ClassFacts = Object.freeze({ tools: [], parameters: [], fields: [], previews: [], misplaced: [] });

/** What decorators said of this class itself, frozen: nobody who read it sees it change. */
export function ownFacts(cls: Function): ClassFacts {
  const entry = ownEntry(cls);
  if (entry === undefined) return NONE;
  const { tools, parameters, fields, previews, misplaced } = entry.lists;
  return (entry.read ??= Object.freeze({
    tools: Object.freeze(tools.slice()),
    parameters: Object.freeze(parameters.slice()),
    fields: Object.freeze(fields.slice()),
    previews: Object.freeze(previews.slice()),
    misplaced: Object.freeze(misplaced.slice()),
    ...entry.config,
  }));
}

/** Adds a fact to a list of the class that owns it. */
export function append<List extends FactList>(cls: Function, list: List, fact: ClassFacts[List][number]): void {
  const entry = entryOf(cls);
  Object.freeze(fact);
  (entry.lists[list] as ClassFacts[List][number][]).push(fact);
  entry.read = undefined;
}

/** Sets what `@AgentConfig` or `@Toolset` says of the class that owns it. */
export function configure(cls: Function, config: Pick<ClassFacts, 'agent' | 'toolset'>): void {
  const entry = entryOf(cls);
  entry.config = { ...entry.config, ...config };
  entry.read = undefined;
}

function ownEntry(cls: Function): Entry | undefined {
  return Object.hasOwn(cls, FACTS) ? (cls as { [FACTS]?: Entry })[FACTS] : ofSealed().get(cls);
}

/** The entries of classes that another decorator had sealed or frozen before ours ran; two copies of the package share them. */
function ofSealed(): WeakMap<Function, Entry> {
  const holder = globalThis as { [SEALED]?: WeakMap<Function, Entry> };
  return (holder[SEALED] ??= new WeakMap());
}

function entryOf(cls: Function): Entry {
  const known = ownEntry(cls);
  if (known !== undefined) return known;
  const entry: Entry = { lists: { tools: [], parameters: [], fields: [], previews: [], misplaced: [] }, config: {}, read: undefined };
  if (Object.isExtensible(cls)) Object.defineProperty(cls, FACTS, { value: entry, configurable: true, enumerable: false });
  else ofSealed().set(cls, entry);
  rememberClass(cls);
  return entry;
}

/** The class itself, where a decorator put something in front of it that shares its prototype: a proxy, or a function that calls it. */
export function classBehind(cls: Function): Function {
  const prototype: unknown = cls.prototype;
  if (typeof prototype !== 'object' || prototype === null) return cls;
  const behind: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  return typeof behind === 'function' && behind.prototype === prototype ? behind : cls;
}

/** A class and its bases, bases first. What stands in front of one comes right after it, where decorators said something of it. */
export function lineage(cls: Function): Function[] {
  const chain: Function[] = [];
  let at: unknown = cls;
  while (typeof at === 'function' && at !== Function.prototype) {
    const behind = classBehind(at);
    const entry = at === behind ? undefined : ownEntry(at);
    if (entry !== undefined && entry !== ownEntry(behind)) chain.unshift(at);
    chain.unshift(behind);
    at = Object.getPrototypeOf(behind);
  }
  return chain;
}

import 'reflect-metadata';
import { classBehind, lineage, ownFacts } from '../metadata/facts';
import { reflectedParameters, type Reflected } from '../metadata/reflection';
import { constructorSource, type ConstructorSource } from './constructor-source';
import type { ServiceToken } from './container';
import { probe } from './probe';
import { isNative } from './supply';
import type { HandlerContainer, InjectHandler } from './typedi-module';

/** Where a value of a class comes from. */
export type Source =
  /** A service; `read` where `@Inject` fetches it its own way. `optional` gives way to the parameter's own default. */
  | {
      readonly kind: 'token';
      readonly token: ServiceToken;
      readonly many: boolean;
      readonly explicit: boolean;
      readonly optional: boolean;
      readonly read?: (container: HandlerContainer) => unknown;
    }
  /** A decorator of the user's own: called when the class is built; `reaches` is what it asked for when it was tried. */
  | { readonly kind: 'custom'; readonly read: (container: HandlerContainer) => unknown; readonly reaches: readonly ServiceToken[] }
  /** Left out: the parameter's own default applies. */
  | { readonly kind: 'default' }
  /** Nobody can say. */
  | { readonly kind: 'fault'; readonly what: string; readonly fix: string };

/** How a class wants to be built: computed once per class. */
export interface Blueprint {
  readonly type: Function;
  /** The class of the lineage whose constructor it is. */
  readonly owner: Function;
  readonly parameters: readonly Source[];
  readonly properties: readonly { readonly name: string | symbol; readonly source: Source }[];
  /** Whether a decorator stands on it, so that it was meant to be built by a container. */
  readonly announced: boolean;
}

const NO_HANDLERS: readonly InjectHandler[] = Object.freeze([]);
const readers = new WeakMap<readonly InjectHandler[], Blueprints>();

/** The blueprints as seen with the `@Inject` handlers of one copy of typedi. */
export function blueprintsOf(handlers: readonly InjectHandler[] = NO_HANDLERS): Blueprints {
  let found = readers.get(handlers);
  if (found === undefined) readers.set(handlers, (found = new Blueprints(handlers)));
  return found;
}

export class Blueprints {
  private readonly byClass = new WeakMap<Function, Blueprint>();
  // typedi keeps all handlers of a process in one growing list and scans it at each build; here it is read once.
  private readonly byTarget = new WeakMap<object, InjectHandler[]>();
  private read = 0;

  constructor(private readonly handlers: readonly InjectHandler[]) {}

  of(type: Function): Blueprint {
    let blueprint = this.byClass.get(type);
    if (blueprint === undefined) this.byClass.set(type, (blueprint = this.draw(type)));
    return blueprint;
  }

  private draw(type: Function): Blueprint {
    const { owner, reflected, source } = constructorOf(classBehind(type));
    const handlers = this.on(owner);
    const count = Math.max(
      reflected?.length ?? 0,
      reflected === undefined ? owner.length : 0,
      ...handlers.map((handler) => (positionOf(handler) ?? -1) + 1),
    );
    const parameters = Array.from({ length: count }, (_, index): Source => {
      const optional = index === owner.length || (index > owner.length && mayBeLeftOut(owner, index));
      const handler = handlers.find((candidate) => positionOf(candidate) === index);
      if (handler !== undefined) return injected(handler, optional);
      if (reflected === undefined) return optional ? { kind: 'default' } : unread(type, owner, index, source);
      return fromType(reflected[index] ?? { kind: 'absent' }, optional);
    });
    return { type, owner, parameters, properties: this.properties(type), announced: this.isAnnounced(type) };
  }

  /** Bases first; a property injected again in a subclass is the subclass's. */
  private properties(type: Function): Blueprint['properties'] {
    const found = new Map<string | symbol, Source>();
    for (const cls of lineage(type))
      for (const handler of this.on(cls.prototype as object | undefined))
        if (positionOf(handler) === undefined && handler.propertyName !== undefined)
          found.set(handler.propertyName, injected(handler, false));
    return [...found].map(([name, source]) => ({ name, source }));
  }

  private isAnnounced(type: Function): boolean {
    const facts = ownFacts(type);
    const behind = classBehind(type);
    return (
      (behind !== type && this.isAnnounced(behind)) ||
      facts.agent !== undefined ||
      facts.toolset !== undefined ||
      facts.tools.length > 0 ||
      Reflect.hasOwnMetadata('design:paramtypes', type) ||
      this.on(type).length > 0 ||
      this.on(type.prototype as object | undefined).length > 0
    );
  }

  private on(target: object | undefined): readonly InjectHandler[] {
    for (; this.read < this.handlers.length; this.read++) {
      const handler = this.handlers[this.read]!;
      if (typeof handler?.object !== 'object' && typeof handler?.object !== 'function') continue;
      const known = this.byTarget.get(handler.object);
      if (known === undefined) this.byTarget.set(handler.object, [handler]);
      else known.push(handler);
    }
    return (target === undefined ? undefined : this.byTarget.get(target)) ?? NO_HANDLERS;
  }
}

/** Which parameter of the constructor a handler fills; none for a property. */
function positionOf({ index }: InjectHandler): number | undefined {
  return typeof index === 'number' ? index : undefined;
}

interface ConstructorFacts {
  readonly owner: Function;
  readonly reflected: readonly Reflected[] | undefined;
  readonly source?: ConstructorSource;
}

/**
 * The constructor that really takes the arguments: the class's own, or the nearest base's. typedi asks the class alone and
 * hands an undecorated base the container itself in place of its dependency.
 */
function constructorOf(type: Function): ConstructorFacts {
  for (const cls of lineage(type).reverse()) {
    if (classBehind(cls) !== cls) continue;
    const reflected = reflectedParameters(cls);
    const mayForward = cls.length === 0 && (reflected === undefined || reflected.length === 1);
    if (!mayForward) {
      // A function in the old style, or a class of the language, takes what it likes; nobody meant a service by it.
      if (reflected === undefined && cls !== type && !isClassText(cls)) break;
      return { owner: cls, reflected };
    }
    const source = constructorSource(cls);
    if (source !== undefined && !source.forwards) return { owner: cls, reflected, source };
    if (source === undefined && reflected !== undefined) return { owner: cls, reflected };
  }
  return { owner: type, reflected: [] };
}

function isClassText(cls: Function): boolean {
  return !isNative(cls) && Function.prototype.toString.call(cls).startsWith('class');
}

function mayBeLeftOut(owner: Function, index: number): boolean {
  const source = constructorSource(owner);
  return source === undefined || source.optional.has(index) || index >= source.names.length;
}

function injected(handler: InjectHandler, optional: boolean): Source {
  const tried = probe(handler);
  switch (tried.kind) {
    case 'token':
      return { kind: 'token', token: tried.token, many: tried.many, explicit: true, optional, read: handler.value };
    case 'custom':
      return { kind: 'custom', read: handler.value, reaches: tried.reaches };
    case 'fault':
      return tried;
  }
}

/** No metadata at all: the reason decides what to write. */
function unread(type: Function, owner: Function, index: number, source?: ConstructorSource): Source {
  const name = (source ?? constructorSource(owner))?.names[index] ?? `parameter${index}`;
  const explicit = `constructor(@Inject(() => Dep) ${name}: Dep)`;
  if (owner !== type)
    return {
      kind: 'fault',
      what: `the constructor is that of the base \`${owner.name}\`, and the compiler wrote down no types for it`,
      fix: `put \`@Service()\` on \`${owner.name}\`, or give \`${type.name}\` a constructor of its own that calls \`super(...)\``,
    };
  const facts = ownFacts(type);
  if (facts.agent !== undefined || facts.toolset !== undefined || emits(type))
    return emits(type)
      ? {
          kind: 'fault',
          what: 'no decorator stands on the class, so the compiler wrote down no types for its constructor',
          fix: `put a decorator on it (\`@Service()\`, \`@AgentConfig({ ... })\` or \`@Toolset()\`), or write \`${explicit}\``,
        }
      : {
          kind: 'fault',
          what: 'the compiler wrote down no types for the constructor: "emitDecoratorMetadata" is off, or esbuild or tsx compiled it, or reflect-metadata was not loaded yet when the class was decorated',
          fix: `set \`"emitDecoratorMetadata": true\` in tsconfig.json, compile with tsc, ts-jest or swc, and \`import 'reflect-metadata'\` first of all; or say it yourself with typedi's \`Inject\`: \`${explicit}\``,
        };
  return {
    kind: 'fault',
    what: 'nothing says what its constructor needs: no decorator stands on the class, or "emitDecoratorMetadata" is off (esbuild and tsx never emit), or reflect-metadata was not loaded yet when the class was decorated',
    fix: `put \`@Service()\` on the class and set \`"emitDecoratorMetadata": true\` in tsconfig.json, and \`import 'reflect-metadata'\` first of all; or say it yourself with typedi's \`Inject\`: \`${explicit}\``,
  };
}

/** Whether the compiler of this class writes metadata: seen by that of its methods. */
function emits(type: Function): boolean {
  const prototype = type.prototype as object;
  return Object.getOwnPropertyNames(prototype).some((name) => Reflect.hasOwnMetadata('design:paramtypes', prototype, name));
}

const PRIMITIVES: ReadonlySet<unknown> = new Set([String, Number, Boolean, BigInt]);

function fromType(type: Reflected, optional: boolean): Source {
  if (type.kind === 'class' && !PRIMITIVES.has(type.type))
    return { kind: 'token', token: type.type as ServiceToken & Function, many: false, explicit: false, optional };
  if (optional) return { kind: 'default' };
  switch (type.kind) {
    case 'class':
      return {
        kind: 'fault',
        what: `its type is ${type.type.name}, which names no service`,
        fix: `say which one: \`@Inject('name')\` with \`Container.set('name', value)\`, or give it a default value`,
      };
    case 'enum':
      return {
        kind: 'fault',
        what: 'its type is an enum, which names no service',
        fix: `say which value: \`@Inject('name')\` with \`Container.set('name', value)\`, or give it a default value`,
      };
    case 'context':
      return {
        kind: 'fault',
        what: 'its type is ToolContext, which belongs to one call and is there only while a tool runs',
        fix: 'take it as a parameter of the tool method',
      };
    case 'absent':
      return { kind: 'fault', what: 'nothing is known of its type', fix: 'write `@Inject(() => Dep)` on it' };
    case 'erased':
      return erased(type.was);
  }
}

function erased(was: string): Source {
  switch (was) {
    case 'undefined':
      return {
        kind: 'fault',
        what: 'its type was undefined when the class was declared: two files import each other, and the other had not run yet',
        fix: 'break the import cycle, or inject a property: `@Inject(() => Dep) dep!: Dep` (the arrow function is called later)',
      };
    case 'Function':
      return {
        kind: 'fault',
        what: 'its type was erased to Function: a class brought by `import type`, or a function type',
        fix: 'write `import { Dep }` without `type`; for a function, `@Inject(TOKEN)`',
      };
    case 'Object':
      return {
        kind: 'fault',
        what: 'its type was erased to Object: an interface, a union, `any`, or a class in an import cycle',
        fix: "say which service: `@Inject(() => Dep)` for a class, `@Inject(TOKEN)` or `@Inject('name')` for anything else",
      };
    default:
      return {
        kind: 'fault',
        what: `its type was erased to ${was}, which names no service`,
        fix: "say which service: `@Inject(TOKEN)` or `@Inject('name')`",
      };
  }
}

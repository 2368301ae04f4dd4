import { WiringError, type WiringFault } from '../errors/wiring-error';
import type { Blueprint, Source } from './blueprint';
import { blueprintNames } from './blueprint-names';
import type { ServiceToken } from './container';
import { cycleFaults, type ServiceNode } from './service-cycles';
import { isNative, tokenName, type ClassSupply, type Supply } from './supply';

/** What the check needs to see of a container. */
export interface ServiceGraph {
  /** How the token is answered, with what an override changes. */
  supply(token: ServiceToken): Supply;
  /** All of them, where several are registered; never empty for a token that `supply` answers or misses. */
  supplies(token: ServiceToken): readonly Supply[];
  blueprint(type: Function): Blueprint;
}

/** A real graph is a few levels deep; past this, somebody makes classes without end, which must not exhaust the stack. */
export const DEEPEST = 500;

/**
 * Walks everything that the tokens need and is not built yet, and reports all faults together, before anything is built.
 *
 * typedi stays silent where a parameter's type is unknown (it injects `undefined`, or itself) and where constructors need
 * each other (the stack overflows); here each is a fault with its class, its parameter and the line to write.
 * @returns what the instances of the classes found buildable are kept under
 * @throws WiringError
 */
export function checkGraph(graph: ServiceGraph, tokens: readonly ServiceToken[], subject?: string): Iterable<object> {
  const walk = new Walk(graph);
  for (const token of tokens) walk.root(token);
  walk.faults.push(...cycleFaults(walk.seen.values()));
  if (walk.faults.length > 0) throw new WiringError(subject ?? tokens.map(tokenName).join(', '), walk.faults);
  return walk.seen.keys();
}

class Walk {
  readonly faults: WiringFault[] = [];
  readonly seen = new Map<object, ServiceNode>();
  private readonly path: string[] = [];

  constructor(private readonly graph: ServiceGraph) {}

  root(token: ServiceToken): void {
    for (const supply of this.graph.supplies(token)) {
      if (supply.kind === 'class') this.visit(supply);
      else if (supply.kind === 'missing') this.faults.push({ where: tokenName(token), what: missing(token), fix: registration(token) });
    }
  }

  private visit(supply: ClassSupply): ServiceNode | undefined {
    const known = this.seen.get(supply.key);
    if (known !== undefined || supply.read !== undefined) return known;
    const node: ServiceNode = { name: supply.type.name, transient: supply.transient, early: [], late: [] };
    this.seen.set(supply.key, node);
    if (this.path.length >= DEEPEST) {
      const what = `its services need each other more than ${DEEPEST} levels deep`;
      this.faults.push({ where: node.name, what, fix: 'look for a decorator or factory that makes classes as it goes' });
      return node;
    }
    const blueprint = this.graph.blueprint(supply.type);
    this.path.push(node.name);
    blueprint.parameters.forEach((source, index) => this.check(blueprint, index, source, node.early));
    for (const { name, source } of blueprint.properties) this.check(blueprint, name, source, node.late);
    this.path.pop();
    return node;
  }

  private check(blueprint: Blueprint, at: number | string | symbol, source: Source, edges: ServiceNode[]): void {
    if (source.kind === 'fault') return this.fault(blueprint, at, source.what, source.fix);
    if (source.kind !== 'token') return;
    for (const supply of source.many ? this.graph.supplies(source.token) : [this.graph.supply(source.token)]) {
      if (supply.kind === 'given' || (source.optional && !isRegistered(supply))) continue;
      if (supply.kind === 'missing') this.fault(blueprint, at, missing(source.token), registration(source.token));
      else if (!supply.registered && !this.graph.blueprint(supply.type).announced)
        this.fault(blueprint, at, `the class ${supply.type.name} is not registered in the container`, registration(supply.type));
      else {
        const node = this.visit(supply);
        if (node !== undefined) edges.push(node);
      }
    }
  }

  private fault(blueprint: Blueprint, at: number | string | symbol, what: string, fix: string): void {
    const { place, position } = blueprintNames(blueprint, at);
    const needed = this.path.length > 1 ? `. Needed by ${this.path.join(' -> ')}` : '';
    this.faults.push({ where: place, what: `${position}: ${what}${needed}`, fix });
  }
}

/** Whether a parameter with a default of its own is filled by the container: only by what somebody named to it. */
export function isRegistered(supply: Supply): boolean {
  return supply.kind === 'given' || (supply.kind === 'class' && supply.registered);
}

/** What to say where a container has nothing for a token. */
export function missing(token: unknown): string {
  if (token === undefined || token === null) return `the token is ${token}: an import cycle, or a class that is not exported`;
  if (typeof token === 'function' && isNative(token)) return `${tokenName(token)} is a class of the language, not a service`;
  if (typeof token === 'function') return `${tokenName(token)} is a function that cannot be called with \`new\``;
  return `the container has nothing under ${tokenName(token)}`;
}

/** The line that makes a container know a token. */
export function registration(token: unknown): string {
  if (token === undefined || token === null) return 'break the cycle, or write `@Inject(() => Dep)`';
  if (typeof token === 'function' && isNative(token))
    return "say which one: `@Inject('name')` with `Container.set('name', value)`, or give the parameter a default value";
  if (typeof token === 'function')
    return `put \`@Service()\` on the class ${tokenName(token)}, or \`Container.set(${tokenName(token)}, value)\``;
  return `\`Container.set(${typeof token === 'string' ? tokenName(token) : 'TOKEN'}, value)\` before the run, or override it: \`withOverrides([{ provide: ..., useValue: ... }])\``;
}

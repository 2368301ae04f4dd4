import { ToolDefinitionError } from '../errors/definition-error';
import { WHY_UNDEFINED, shown } from '../errors/option-check';
import { knownClasses } from '../metadata/class-index';
import { className, isClass } from './class-chain';
import { Contributions, type Contribution, type ContributionOptions, type RegisteredContribution } from './contributions';
import { Faults } from './faults';
import { isToolDefinition } from './is-tool-definition';
import { knownTools, listedTools } from './listed-tools';
import { resolveTools } from './resolve-tools';
import type { ToolSource } from './static-toolset';
import { resolveToolClass } from './tool-class';
import type { ToolDefinition } from './tool-definition';
import type { ToolRef } from './tool-ref';
import type { ToolsetRef } from './toolset';

/**
 * Answers which tools a class has, and what packages offer.
 *
 * The tools of classes it does not own: facts lie on the classes, where the decorators put them. What it keeps of them is what it resolved,
 * per class and without holding the class, so that two registries never disagree and nothing needs to be cleared.
 */
export class ToolRegistry implements ToolSource {
  private readonly own = new WeakMap<Function, readonly ToolDefinition[]>();
  private readonly all = new WeakMap<Function, readonly ToolDefinition[]>();
  private readonly single = new WeakMap<Function, ToolDefinition>();
  private readonly contributed = new Contributions();

  /**
   * The tools of a class: its own, its bases' first, then those of the toolsets and tools that its `@AgentConfig` lists. Frozen, in
   * the order that the model sees. Toolsets that depend on a run (factories, `filtered`, `prepared`) are not among them.
   *
   * @throws ToolDefinitionError with everything that is wrong
   * @example defaultRegistry.toolsOf(WeatherAgent).map((tool) => tool.name)
   */
  toolsOf(cls: Function): readonly ToolDefinition[] {
    return cached(this.all, cls, () => {
      const faults = new Faults();
      const tools = knownTools(listedTools(cls, this, faults.report));
      faults.throwIfAny(className(cls));
      return Object.freeze(tools);
    });
  }

  /** The tools that a class declares by `@Tool` methods, itself or through its bases. @throws ToolDefinitionError */
  ownToolsOf(cls: Function): readonly ToolDefinition[] {
    return cached(this.own, cls, () => resolveTools(cls));
  }

  /** The tool that a value or a class with `execute` is. @throws ToolDefinitionError when it is neither */
  toolOf(ref: unknown): ToolDefinition {
    if (isToolDefinition(ref)) {
      // A tool made by `defineTool` reads its parameters now; what is wrong with them must come out here.
      void ref.contract;
      return ref;
    }
    if (isClass(ref)) return cached(this.single, ref, () => resolveToolClass(ref));
    const what = `${shown(ref)} is no tool: it is neither made by defineTool() nor a class with \`execute\`.`;
    throw new ToolDefinitionError('tools', [
      { where: 'tools', what, fix: ref === undefined ? WHY_UNDEFINED : 'tools: [sum, SearchDatabase]' },
    ]);
  }

  /**
   * Offers tools to all agents that say `contributed`: for packages, which should have to import nothing of the host's.
   *
   * Nothing of the source is read or built now. Registering the same again does nothing.
   * @param name of the contribution, unique in the registry
   * @param source a toolset (class, instance, list, view), a tool, or a factory that is asked at each run's start
   * @throws UsageError when another source has the name, for unknown options, and for what is no source
   * @example defaultRegistry.register('acme-notes', NotesTools, { owner: 'acme-notes' });
   */
  register(name: string, source: ToolsetRef | ToolRef, options: ContributionOptions = {}): void {
    this.contributed.add(name, source, options);
  }

  /** Takes a contribution back, for runs that begin later; whether there was one. */
  unregister(name: string): boolean {
    return this.contributed.remove(name);
  }

  /**
   * What packages offer, in the order of their names, without tools whose names are taken, or offered by one before.
   * @throws ToolDefinitionError when one cannot be used as declared
   */
  available(taken: Iterable<string> = []): readonly Contribution[] {
    return this.contributed.available(taken, this);
  }

  /** What packages registered, in the order of their names; nothing of it has been read. */
  contributions(): readonly RegisteredContribution[] {
    return this.contributed.list();
  }

  /** Every class that carries a decorator of this package and still exists. */
  knownClasses(): readonly Function[] {
    return knownClasses();
  }
}

function cached<T>(cache: WeakMap<Function, T>, cls: Function, resolve: () => T): T {
  const known = cache.get(cls);
  if (known !== undefined) return known;
  const fresh = resolve();
  cache.set(cls, fresh);
  return fresh;
}

/** The registry that is used unless a runner is given another. */
export const defaultRegistry = new ToolRegistry();

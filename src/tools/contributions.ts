import { aText, checkedOptions, oneOfTexts, shown, type OptionRules } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import { isClass } from './class-chain';
import { isToolDefinition } from './is-tool-definition';
import { isFactory } from './listed-tools';
import { staticToolset, type StaticToolset, type ToolSource } from './static-toolset';
import { isToolClass } from './tool-class';
import type { ToolDefinition } from './tool-definition';
import type { ToolRef } from './tool-ref';
import type { ToolsetFactory, ToolsetRef } from './toolset';

/** Who answers for a contribution: `managed` when whoever registered it vouches for it, else `unknown`. */
export type Ownership = 'unknown' | 'managed';

/** Who brings a contribution, and who answers for it. */
export interface ContributionOptions {
  /** The package that brings it, for messages; the contribution's name by default. */
  readonly owner?: string;
  /** `unknown` by default: what its tools say of themselves is then a claim, and their calls need approval. */
  readonly ownership?: Ownership;
}

/** What a package offers to every agent that asks for contributed tools. */
export interface Contribution {
  readonly name: string;
  readonly owner: string;
  readonly ownership: Ownership;
  /** Its tools, as far as they are known before a run and their names are free; `undefined` where a run must be asked. */
  readonly tools: readonly ToolDefinition[] | undefined;
}

/** A contribution as it was registered: nothing of it has been read or built. */
export interface RegisteredContribution {
  readonly name: string;
  readonly owner: string;
  readonly ownership: Ownership;
  readonly source: ToolsetRef | ToolRef;
}

const RULES: OptionRules = new Map([
  ['owner', aText],
  ['ownership', oneOfTexts('unknown', 'managed')],
]);
const NAME = /^[\w@][\w@./-]{0,99}$/;

/** What packages registered, by name. Who owns it is recorded with the name, before anything of the package runs. */
export class Contributions {
  private readonly byName = new Map<string, RegisteredContribution>();

  /** @throws UsageError for a name that is taken, and for what is no toolset, tool or factory */
  add(name: string, source: ToolsetRef | ToolRef, options: ContributionOptions = {}): void {
    const where = `register(${shown(name)})`;
    if (typeof name !== 'string' || !NAME.test(name))
      throw new UsageError(`${where}: a contribution needs a name of letters, digits and @ . / _ -, at most 100, such as 'acme-notes'.`);
    if ((typeof source !== 'object' || source === null) && typeof source !== 'function')
      throw new UsageError(
        `${where}: ${shown(source)} is no toolset, tool or factory. Write register('${name}', Notes, { owner: '${name}' }).`,
      );
    const { owner = name, ownership = 'unknown' } = checkedOptions(options, RULES, where);
    const taken = this.byName.get(name);
    // A module may be loaded twice; what it then registers again is the same.
    if (taken !== undefined && taken.source === source && taken.owner === owner && taken.ownership === ownership) return;
    if (taken !== undefined)
      throw new UsageError(`${where}: the name is taken by ${taken.owner}. Register it under another, or unregister('${name}') first.`);
    this.byName.set(name, Object.freeze({ name, owner, ownership, source }));
  }

  remove(name: string): boolean {
    return this.byName.delete(name);
  }

  /** All of them, by name, so that the order of imports decides nothing. */
  list(): readonly RegisteredContribution[] {
    return [...this.byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  available(taken: Iterable<string>, tools: ToolSource): readonly Contribution[] {
    const used = new Set(taken);
    return this.list().map(({ source, ...facts }) => {
      const set = isFactory(source) ? undefined : contributedSet(source, tools);
      if (set === undefined || set.perRun.length > 0) return Object.freeze({ ...facts, tools: undefined });
      const free = set.tools.filter(({ name, behaviour }) => behaviour.enabled !== false && !used.has(name));
      for (const { name } of free) used.add(name);
      return Object.freeze({ ...facts, tools: Object.freeze(free) });
    });
  }
}

/** A contribution that is no factory, as a toolset. @throws ToolDefinitionError when it cannot be used as declared */
export function contributedSet(source: Exclude<ToolsetRef | ToolRef, ToolsetFactory>, tools: ToolSource): StaticToolset {
  const isOneTool = isToolDefinition(source) || (isClass(source) && isToolClass(source));
  return staticToolset(isOneTool ? [source] : source, tools);
}

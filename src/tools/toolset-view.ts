import type { ToolOptions } from './tool-options';
import type { ToolFilter, ToolPreparation, ToolsetSource, ToolsetView, Viewed } from './toolset';
import { configured } from './toolsets/configured';
import { filtered } from './toolsets/filtered';
import { only } from './toolsets/only';
import { prefixed } from './toolsets/prefixed';
import { prepared } from './toolsets/prepared';
import { renamed } from './toolsets/renamed';
import type { ToolsetStep } from './toolsets/toolset-step';
import { without } from './toolsets/without';

/** What a view looks at, and through which wrappers. */
export interface ViewFacts {
  readonly source: unknown;
  readonly steps: readonly ToolsetStep[];
}

/**
 * Looks at a toolset through wrappers: a class with `@Tool` methods (built by the container), an instance, or a list of tools.
 *
 * What is wrong (a name that no tool has, no tools at all) is told when an agent that lists it is resolved.
 * @example toolsets: [toolset(Files).only('read_file', 'list_files').configured({ requiresApproval: true }), toolset([sum, product])]
 */
export function toolset<S extends ToolsetSource>(source: S): ToolsetView<Viewed<S>> {
  const facts = viewFacts(source) ?? { source: Array.isArray(source) ? Object.freeze(source.slice()) : source, steps: [] };
  return new Wrapped(facts) as unknown as ToolsetView<Viewed<S>>;
}

/** A view of anything: its names are known only once an agent is resolved. */
type AnyView = ToolsetView<unknown, string>;

class Wrapped implements AnyView {
  readonly '~toolset': ViewFacts & { readonly of?: unknown };

  constructor(facts: ViewFacts) {
    this['~toolset'] = Object.freeze({ ...facts });
    Object.freeze(this);
  }

  prefixed(prefix: string): AnyView {
    return this.with(prefixed(prefix));
  }

  only(...names: string[]): AnyView {
    return this.with(only(names));
  }

  without(...names: string[]): AnyView {
    return this.with(without(names));
  }

  renamed(names: { readonly [old: string]: string | undefined }): AnyView {
    return this.with(renamed(names));
  }

  filtered(filter: ToolFilter): AnyView {
    return this.with(filtered(filter));
  }

  prepared(prepare: ToolPreparation): AnyView {
    return this.with(prepared(prepare));
  }

  configured(options: Partial<ToolOptions>): AnyView {
    return this.with(configured(options));
  }

  private with(step: ToolsetStep): AnyView {
    const { source, steps } = this['~toolset'];
    return new Wrapped({ source, steps: [...steps, step] });
  }
}

/** What a view consists of; `undefined` for everything that is no view. Told by its shape, so two copies of the package agree. */
export function viewFacts(value: unknown): ViewFacts | undefined {
  if (typeof value !== 'object' || value === null || !('~toolset' in value)) return undefined;
  const facts = value['~toolset'] as Partial<ViewFacts> | null | undefined;
  return typeof facts === 'object' && facts !== null && Array.isArray(facts.steps) ? (facts as ViewFacts) : undefined;
}

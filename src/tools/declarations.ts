import { didYouMean } from '../errors/nearest-name';
import type { Report } from '../errors/option-check';
import { ownFacts, type ClassFacts, type ParameterFact, type RawOptions } from '../metadata/facts';
import { classChain, className } from './class-chain';

/** One tool method as the decorators along a class's chain leave it. */
export interface Declaration {
  readonly method: string;
  /** The class whose `@Tool` counts, and what it says. */
  readonly owner: Function;
  readonly options: RawOptions;
  /** The class whose parameter decorators count: the owner, or a subclass that decorated only the parameters anew. */
  readonly parametersOf: Function;
  readonly parameters: readonly ParameterFact[];
  /** The method marked `@Preview` for this tool. */
  readonly preview: string | undefined;
}

/**
 * The tool methods of a class in declaration order, bases first. A decorated override replaces its base's declaration in place,
 * an undecorated one keeps it; `enabled: false` removes the tool.
 */
export function declarationsOf(cls: Function, report: Report): readonly Declaration[] {
  const declared = new Map<string, Declaration>();
  const previews = new Map<string, { readonly method: string; readonly where: string }>();
  const chain = classChain(cls);
  for (const owner of chain) {
    const facts = ownFacts(owner);
    for (const misplaced of facts.misplaced) report(misplaced);
    const parameters = byMethod(facts.parameters);
    declareTools(owner, facts, parameters, declared, report);
    redeclareParameters(owner, parameters, declared);
    for (const { tool, method } of facts.previews) previews.set(tool, { method, where: `${className(owner)}.${method}` });
  }
  reportStrayParameters(chain, declared, previews, report);
  if (declared.size > 0) reportStrayFields(chain, report);
  for (const [tool, preview] of previews) {
    if (!declared.has(tool))
      report({
        where: preview.where,
        what: `there is no tool method \`${tool}\` to preview.${didYouMean(tool, declared.keys())}`,
        fix: `@Preview('${[...declared.keys()][0] ?? 'toolMethod'}'): the name of the method that carries @Tool()`,
      });
  }
  const enabled = [...declared.values()].filter((declaration) => declaration.options.enabled !== false);
  if (previews.size === 0) return enabled;
  return enabled.map((declaration) => ({ ...declaration, preview: previews.get(declaration.method)?.method }));
}

type ParametersByMethod = ReadonlyMap<string, readonly ParameterFact[]>;

function declareTools(
  owner: Function,
  facts: ClassFacts,
  parameters: ParametersByMethod,
  declared: Map<string, Declaration>,
  report: Report,
): void {
  const own = new Set<string>();
  for (const { method, options } of facts.tools) {
    if (own.has(method))
      report({
        where: `${className(owner)}.${method}`,
        what: 'it carries @Tool() twice, and only one can count.',
        fix: 'keep one @Tool() with all its options',
      });
    own.add(method);
    declared.set(method, { method, owner, options, parametersOf: owner, parameters: parameters.get(method) ?? [], preview: undefined });
  }
}

/** An override without `@Tool` may still decorate its parameters: they are then the ones that count. */
function redeclareParameters(owner: Function, decorated: ParametersByMethod, declared: Map<string, Declaration>): void {
  for (const [method, parameters] of decorated) {
    const inherited = declared.get(method);
    if (inherited === undefined || inherited.parametersOf === owner) continue;
    declared.set(method, { ...inherited, parametersOf: owner, parameters });
  }
}

function byMethod(facts: readonly ParameterFact[]): ParametersByMethod {
  const groups = new Map<string, ParameterFact[]>();
  for (const fact of facts) {
    const group = groups.get(fact.method);
    if (group === undefined) groups.set(fact.method, [fact]);
    else group.push(fact);
  }
  return groups;
}

/** Parameter decorators on a method that is neither a tool nor a preview do nothing, which nobody means. */
function reportStrayParameters(
  chain: readonly Function[],
  declared: ReadonlyMap<string, Declaration>,
  previews: ReadonlyMap<string, { readonly method: string }>,
  report: Report,
): void {
  const meant = new Set([...declared.keys(), ...[...previews.values()].map((preview) => preview.method), SOLE_METHOD]);
  const reported = new Set<string>();
  for (const owner of chain) {
    for (const { method } of ownFacts(owner).parameters) {
      if (meant.has(method) || reported.has(method)) continue;
      reported.add(method);
      report({
        where: `${className(owner)}.${method}`,
        what: 'its parameters are decorated, but the method itself is not a tool, so the decorators do nothing.',
        fix: `@Tool('What it does, and when to use it') above ${method}(…)`,
      });
    }
  }
}

function reportStrayFields(chain: readonly Function[], report: Report): void {
  for (const owner of chain)
    for (const { property } of ownFacts(owner).fields)
      report({
        where: `${className(owner)}.${property}`,
        what: 'it carries @Field(), which describes a property of what a model sends, and this is a class of tools.',
        fix: 'take @Field() away, or move the property into the DTO that a tool takes',
      });
}

/** The method of a class that is one tool: it needs no `@Tool`. */
export const SOLE_METHOD = 'execute';

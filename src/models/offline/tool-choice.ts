import type { ModelTool } from '../model';
import { fillArguments, type ArgumentSource, type FilledArguments } from './arguments';
import { parametersOf, type Parameter } from './parameters';
import { conceptOf, isAction, termsOf, THINGS } from './words';

/** A tool's words, worked out once per list of tools. */
interface KnownTool {
  readonly tool: ModelTool;
  readonly parameters: readonly Parameter[];
  readonly name: ReadonlySet<string>;
  readonly description: ReadonlySet<string>;
  readonly concepts: ReadonlyMap<number, number>;
}

export interface ToolVocabulary {
  readonly tools: readonly KnownTool[];
  /** How rare a stem or a concept is among the tools: the rarer, the more it says. */
  rarity(term: string | number): number;
  readonly terms: ReadonlySet<string>;
}

export interface Choice {
  readonly known: KnownTool;
  readonly filled: FilledArguments;
  readonly score: number;
}

/** What the words of a question must be worth before a tool is called for them. */
const THRESHOLD = 0.5;

/** Among one or two tools no word is rare; they are counted as three. */
const FEWEST = 3;

const vocabularies = new WeakMap<readonly ModelTool[], ToolVocabulary>();

/** The words of a list of tools. The same list is sent with every request of a run, so this is worked out once. */
export function vocabularyOf(tools: readonly ModelTool[]): ToolVocabulary {
  let vocabulary = vocabularies.get(tools);
  if (vocabulary === undefined) vocabularies.set(tools, (vocabulary = readVocabulary(tools)));
  return vocabulary;
}

function readVocabulary(list: readonly ModelTool[]): ToolVocabulary {
  const tools = list.map(known);
  const spread = new Map<string | number, number>();
  const terms = new Set<string>();
  for (const tool of tools) {
    const own = new Set<string | number>([
      ...tool.name,
      ...tool.description,
      ...tool.parameters.flatMap((one) => one.terms),
      ...tool.concepts.keys(),
    ]);
    for (const term of own) spread.set(term, (spread.get(term) ?? 0) + 1);
    for (const term of [...tool.name, ...tool.description]) terms.add(term);
  }
  return { tools, terms, rarity: (term) => Math.log(1 + Math.max(FEWEST, tools.length) / (spread.get(term) ?? tools.length)) };
}

function known(tool: ModelTool): KnownTool {
  const parameters = parametersOf(tool);
  const name = termsOf(tool.name);
  const description = termsOf(tool.description);
  const concepts = new Map<number, number>();
  // A tool's name says best what it does, its parameters least.
  const learn = (terms: readonly string[], weight: number): void => {
    for (const term of terms) {
      const concept = conceptOf(term);
      if (concept !== undefined) concepts.set(concept, Math.max(concepts.get(concept) ?? 0, weight));
    }
  };
  learn(
    parameters.flatMap((one) => one.terms),
    0.3,
  );
  learn(description, 0.7);
  // The sentence begins with what the tool does.
  learn(description.slice(0, 2), 1);
  learn(name, 1);
  return { tool, parameters, name: new Set(name), description: new Set(description), concepts };
}

/**
 * The tool that fits the question best: the rarity-weighted overlap with its words, and how well its parameters can be
 * filled. `lacking` is the best one that fits but for a missing argument.
 */
export function chooseTool(
  vocabulary: ToolVocabulary,
  source: ArgumentSource,
  called: ReadonlySet<string>,
): { readonly choice: Choice | undefined; readonly lacking: Choice | undefined } {
  const spent = spentTerms(vocabulary, called);
  const asked = [...new Set(termsOf(source.question))].filter((term) => !spent.has(term));
  let choice: Choice | undefined;
  let lacking: Choice | undefined;
  for (const one of vocabulary.tools) {
    if (called.has(one.tool.name)) continue;
    const filled = fillArguments(one.parameters, source);
    const overlap = overlapOf(asked, one, vocabulary, spent);
    const complete = filled.missing.length === 0;
    const score = overlap + fitOf(one, filled, source);
    if (score < THRESHOLD) continue;
    const made: Choice = { known: one, filled, score };
    if (complete && (choice === undefined || score > choice.score)) choice = made;
    if (!complete && overlap >= THRESHOLD && (lacking === undefined || score > lacking.score)) lacking = made;
  }
  return { choice, lacking };
}

/** Words that were the reason to call a tool are no reason to call another. */
function spentTerms(vocabulary: ToolVocabulary, called: ReadonlySet<string>): ReadonlySet<string | number> {
  const spent = new Set<string | number>();
  for (const { tool, name, description, parameters, concepts } of vocabulary.tools) {
    if (!called.has(tool.name)) continue;
    for (const term of [...name, ...description, ...parameters.flatMap((one) => one.terms)]) spent.add(term);
    for (const [concept, weight] of concepts) if (weight === 1) spent.add(concept);
  }
  return spent;
}

function overlapOf(asked: readonly string[], tool: KnownTool, vocabulary: ToolVocabulary, spent: ReadonlySet<string | number>): number {
  const parameterTerms = new Set(tool.parameters.flatMap((one) => one.terms));
  const action = asked.map(conceptOf).find((concept) => concept !== undefined && isAction(concept));
  const met = new Set<number>();
  let sum = 0;
  for (const term of asked) {
    const concept = conceptOf(term);
    // Most tools of a kind work on the same things: files, documents. What they do with them tells them apart.
    const weight = (concept === THINGS ? 0.4 : 1) * vocabulary.rarity(term);
    if (tool.name.has(term)) sum += 1.5 * weight;
    else if (tool.description.has(term)) sum += weight;
    else if (parameterTerms.has(term)) sum += 0.5 * weight;
    if (concept === undefined || met.has(concept) || spent.has(concept)) continue;
    met.add(concept);
    sum += conceptWeight(concept, action) * (tool.concepts.get(concept) ?? 0) * vocabulary.rarity(concept);
  }
  return sum;
}

/** What a question asks to be done first is what it is about: `List the files that mention...` lists. */
function conceptWeight(concept: number, action: number | undefined): number {
  if (concept === action) return 1.2;
  return concept === THINGS ? 0.2 : 0.6;
}

/** A question that names a path is for tools that take one; one that names a thing is for tools that look things up. */
function fitOf(tool: KnownTool, filled: FilledArguments, source: ArgumentSource): number {
  const { mentions } = source;
  let fit = 0;
  for (const parameter of tool.parameters) {
    const value = filled.values[parameter.name];
    if (value === undefined) continue;
    if (parameter.kind === 'path' && parameter.required && typeof value === 'string' && mentions.paths.includes(value)) fit += 2;
    else if (parameter.kind === 'path' && typeof value === 'string' && mentions.folders.includes(value)) fit += 0.6;
    else if (parameter.kind === 'query' && (mentions.names.length > 0 || mentions.quoted.length > 0)) fit += 0.9;
    // A question to somebody who can look things up is looked up.
    else if (
      parameter.kind === 'query' &&
      /\?\s*$|^\s*(which|what|where|who|when|how|does|is|are|do|find|search|look)\b/i.test(source.question)
    )
      fit += 0.5;
    else if (parameter.kind === 'date' || parameter.kind === 'email' || parameter.kind === 'url') fit += 0.5;
  }
  return fit;
}

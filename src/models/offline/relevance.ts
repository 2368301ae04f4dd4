import type { Evidence, EvidenceLine } from './evidence';
import { isPath } from './evidence';
import { pathsIn } from './mentions';
import { conceptOf, termsOf, THINGS } from './words';

interface RankedLine {
  readonly line: EvidenceLine;
  readonly score: number;
  /** Whether it defines what a question about a definition names. */
  readonly defines: boolean;
}

/** The lines that share words with a question, the best first. */
export interface Relevance {
  readonly ranked: readonly RankedLine[];
  /** Whether nothing that the question is about is left open. */
  readonly answered: boolean;
  /** Paths that the results name, the most promising first. */
  readonly paths: readonly string[];
}

const ASKS_FOR_DEFINITION = /\b(defin\w*|declar\w*|implement\w*|introduc\w*)\b/i;
// What starts a definition in common languages; the name behind it is compared apart.
const DEFINITION =
  /^(?:[^\s:]{1,300}:\s?\d+:?\s*)?(?:(?:export|default|public|private|protected|internal|abstract|static|final|async|pub|declare|readonly)\s+)*(?:class|interface|type|enum|function|const|let|var|def|fn|func|struct|trait|module|namespace|record|object)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;
const MOST_RANKED = 200;

/**
 * @param named identifiers of the question; a line that defines one of them is what a question about its definition wants
 * @param sought what the calls were made with: their results speak of it even where they do not repeat it
 * @param how the stems that only say what is to be done and where, such as those of the tools and of paths
 */
export function relevanceOf(
  evidence: Evidence,
  question: string,
  named: readonly string[],
  sought: string,
  how: ReadonlySet<string>,
): Relevance {
  const asked = [...new Set(termsOf(question))];
  const worth = worthOf(asked, evidence.lines);
  const asksForDefinition = ASKS_FOR_DEFINITION.test(question);
  let defines = false;
  const ranked: RankedLine[] = [];
  for (const line of evidence.lines) {
    let score = overlap(line.terms, worth);
    if (line.path !== undefined) score += 0.4 * overlap(termsOf(line.path), worth);
    if (score > 0 && named.some((name) => line.text.includes(name))) score += 0.5;
    const defined = DEFINITION.exec(line.text)?.[1];
    const fits = defined !== undefined && named.includes(defined);
    if (fits) score += asksForDefinition ? 6 : 1;
    defines ||= fits && asksForDefinition;
    if (score > 0) ranked.push({ line, score, defines: fits && asksForDefinition });
  }
  // A stable sort: equal lines stay in the order of the results.
  ranked.sort((one, other) => other.score - one.score);
  ranked.splice(MOST_RANKED);
  const open = openTerms(asked.filter(isSubject), ranked, new Set(termsOf(sought)));
  return {
    // Who names nothing to look for, as in "List the files in docs", wants it as it is.
    ranked: named.length > 0 || asked.some((term) => isSubject(term) && !how.has(term) && !/^\d+$/.test(term)) ? ranked : [],
    answered: evidence.lines.length > 0 && (defines || open.length === 0),
    paths: promisingPaths(evidence, ranked, worth),
  };
}

const SURROUNDINGS = new Set(termsOf('project repository repo codebase code workspace'));

/** Whether a term says what a question is about, rather than how to look for it. */
export function isSubject(term: string): boolean {
  const concept = conceptOf(term);
  return (concept === undefined || concept > THINGS) && !SURROUNDINGS.has(term);
}

/** What each term of the question is worth: the rarer among the lines the more, and little where it only says how to look. */
function worthOf(asked: readonly string[], lines: readonly EvidenceLine[]): ReadonlyMap<string, number> {
  const spread = new Map<string, number>(asked.map((term) => [term, 0]));
  for (const line of lines)
    for (const term of new Set(line.terms)) {
      const count = spread.get(term);
      if (count !== undefined) spread.set(term, count + 1);
    }
  return new Map([...spread].map(([term, count]) => [term, (isSubject(term) ? 1 : 0.3) * Math.log(1 + lines.length / Math.max(1, count))]));
}

function overlap(terms: readonly string[], worth: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const term of new Set(terms)) sum += worth.get(term) ?? 0;
  return sum;
}

/** What the question is about and neither the best lines nor the calls speak of. */
function openTerms(subject: readonly string[], ranked: readonly RankedLine[], sought: ReadonlySet<string>): readonly string[] {
  const met = new Set(sought);
  for (const { line } of ranked.slice(0, 3))
    for (const term of [...line.terms, ...(line.path === undefined ? [] : termsOf(line.path))]) met.add(term);
  return subject.filter((term) => !met.has(term));
}

function promisingPaths(evidence: Evidence, ranked: readonly RankedLine[], worth: ReadonlyMap<string, number>): readonly string[] {
  const scores = new Map<string, number>();
  const raise = (path: string, score: number): void => void scores.set(path, Math.max(scores.get(path) ?? 0, score));
  for (const { line, score } of ranked) if (line.path !== undefined) raise(line.path, score);
  for (const line of evidence.lines)
    for (const path of isPath(line.text) ? [line.text] : pathsIn(line.text.slice(0, 300))) {
      const score = overlap(termsOf(path), worth);
      if (score > 0) raise(path, score);
    }
  return [...scores].sort(([, one], [, other]) => other - one).map(([path]) => path);
}

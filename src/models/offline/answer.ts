import type { ModelTool } from '../model';
import type { Evidence } from './evidence';
import type { Choice } from './tool-choice';
import type { Relevance } from './relevance';

const MOST_QUOTED = 5;
const MOST_LISTED = 20;
const LONGEST_QUOTE = 240;

const SIGNATURE = 'I am the offline model: I match words and quote what the tools found; I do not understand.';

/** The final answer: the lines that share words with the question, verbatim, and where they stand. */
export function answerText(question: string, evidence: Evidence, relevance: Relevance): string {
  const failures = evidence.failures.map(({ tool, text }) => `${tool} did not succeed: ${shortened(text)}`);
  if (evidence.lines.length === 0) {
    const nothing = failures.length > 0 ? failures.join('\n') : 'The tools found nothing about that.';
    return `${nothing}\n\n${SIGNATURE}`;
  }
  return `${found(question, evidence, relevance)}\n\n${SIGNATURE}`;
}

function found(question: string, evidence: Evidence, { ranked }: Relevance): string {
  const best = ranked[0];
  const total = evidence.total ?? evidence.lines.length;
  const count = /\bhow many\b/i.test(question) ? `Found: ${total}.\n` : '';
  if (best === undefined) {
    const listed = evidence.lines.slice(0, MOST_LISTED).map(({ text }) => `- ${shortened(text)}`);
    const more = total > listed.length ? [`- and ${total - listed.length} more`] : [];
    return `${count}The tools gave this:\n${[...listed, ...more].join('\n')}`;
  }
  // What is worth less than a third of the best line would only distract.
  const quoted = ranked.filter(({ score, defines }) => (best.defines ? defines : score * 3 >= best.score)).slice(0, MOST_QUOTED);
  // The last call was made because the earlier results did not suffice, so its best line is quoted in any case.
  const last = ranked.find(({ line }) => line.tool === evidence.lines.at(-1)?.tool);
  if (!best.defines && last !== undefined && !quoted.includes(last)) quoted.push(last);
  const quotes = quoted.map(
    ({ line }) => `- ${line.path === undefined || line.text.includes(line.path) ? '' : `${line.path}: `}${shortened(line.text)}`,
  );
  const asksWhere = /\b(which|what|where)\b/i.test(question);
  const place = best.line.path;
  const head =
    place !== undefined && asksWhere
      ? `It is most likely in ${place}:`
      : evidence.lines.length === 1
        ? 'The tools gave this:'
        : 'What fits the question best:';
  return `${count}${head}\n${[...new Set(quotes)].join('\n')}`;
}

/** What is missing for the call that would fit. */
export function questionFor(choice: Choice): string {
  const wanted = choice.filled.missing.map(({ name, description }) =>
    description === '' ? `\`${name}\`` : `\`${name}\` (${description})`,
  );
  return `For ${choice.known.tool.name} I need ${wanted.join(' and ')}. Please give it in quotation marks.\n\n${SIGNATURE}`;
}

export function declineText(tools: readonly ModelTool[]): string {
  const names = tools.slice(0, MOST_LISTED).map(({ name }) => name);
  const offered = names.length === 0 ? 'I have no tools here.' : `None of my tools (${names.join(', ')}) fits that question.`;
  return `${offered}\n\n${SIGNATURE} A real model, such as 'openai:gpt-5-mini', will do more.`;
}

function shortened(text: string): string {
  return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE)}...`;
}

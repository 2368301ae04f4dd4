import type { ModelRequest, ToolChoice } from '../models/model';
import type { JsonSchema } from '../types/json';
import { isSubset } from './subset';
import { jsonText, partsText } from './transcript-text';

/** A text that must stand somewhere, or a pattern. */
export type TextPattern = string | RegExp;

/** What a scripted step expects to be shown; only what is named is checked. A function may check the rest and throws to fail. */
export type RequestExpectation =
  | {
      /** The names of all tools, in order. */
      readonly tools?: readonly string[];
      /** By tool: keywords that its plain schema must have; objects match when they hold what is named. */
      readonly schemas?: { readonly [tool: string]: JsonSchema };
      readonly toolChoice?: ToolChoice;
      /** In the instructions. */
      readonly system?: TextPattern;
      /** In the last message of the user. */
      readonly user?: TextPattern;
      /** In the last results, one for each call of the last turn, in order. */
      readonly results?: readonly TextPattern[];
      /** How many messages there are. */
      readonly messages?: number;
      /** Keywords of the schema asked of the answer. */
      readonly output?: JsonSchema;
    }
  | ((request: ModelRequest) => void);

/** What of a request is not as expected, a sentence each; nothing when all is. What a function expectation throws is thrown. */
export function unmetExpectations(request: ModelRequest, expected: RequestExpectation): readonly string[] {
  if (typeof expected === 'function') {
    expected(request);
    return [];
  }
  const unmet: string[] = [];
  const { tools, schemas, toolChoice, system, user, results, messages, output } = expected;
  const names = request.tools.map((tool) => tool.name);
  if (tools !== undefined && jsonText(tools) !== jsonText(names))
    unmet.push(`tools: expected [${tools.join(', ')}], the model was shown [${names.join(', ')}]`);
  for (const [name, schema] of Object.entries(schemas ?? {})) {
    const shown = request.tools.find((tool) => tool.name === name)?.parameters;
    if (!isSubset(schema, shown)) unmet.push(`schema of ${name}: expected ${jsonText(schema)} in ${jsonText(shown)}`);
  }
  if (toolChoice !== undefined && jsonText(toolChoice) !== jsonText(request.toolChoice))
    unmet.push(`toolChoice: expected ${jsonText(toolChoice)}, got ${jsonText(request.toolChoice)}`);
  if (messages !== undefined && messages !== request.messages.length)
    unmet.push(`messages: expected ${messages}, got ${request.messages.length}`);
  if (output !== undefined && !isSubset(output, request.output?.schema))
    unmet.push(`output: expected ${jsonText(output)} in ${jsonText(request.output?.schema)}`);
  checkText('system', system, systemText(request), unmet);
  checkText('user', user, lastUserText(request), unmet);
  if (results !== undefined) checkResults(results, lastResults(request), unmet);
  return unmet;
}

function checkResults(expected: readonly TextPattern[], got: readonly string[], unmet: string[]): void {
  if (expected.length !== got.length) unmet.push(`results: expected ${expected.length}, the last turn has ${got.length}`);
  expected.forEach((pattern, at) => checkText(`result ${at + 1}`, pattern, got[at] ?? '', unmet));
}

function checkText(what: string, pattern: TextPattern | undefined, text: string, unmet: string[]): void {
  if (pattern === undefined) return;
  // `search` ignores `lastIndex`, so a pattern with the `g` flag says the same each time.
  const found = typeof pattern === 'string' ? text.includes(pattern) : text.search(pattern) >= 0;
  if (!found) unmet.push(`${what}: expected ${typeof pattern === 'string' ? jsonText(pattern) : String(pattern)} in ${jsonText(text)}`);
}

function systemText(request: ModelRequest): string {
  return request.messages.flatMap((message) => (message.role === 'system' ? [message.text] : [])).join('\n');
}

function lastUserText(request: ModelRequest): string {
  const last = request.messages.findLast((message) => message.role === 'user');
  return last === undefined ? '' : partsText(last.parts);
}

/** The results at the end of the transcript; a message that was appended after them does not hide them. */
function lastResults(request: ModelRequest): readonly string[] {
  const last = request.messages.findLastIndex((message) => message.role === 'assistant');
  return request.messages.slice(last + 1).flatMap((message) => (message.role === 'tool' ? [partsText(message.parts)] : []));
}

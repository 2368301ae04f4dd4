import type { CallResult } from '../../invocation/call';
import type { ModelTool } from '../../models/model';
import { defineTool } from '../../tools/define-tool';
import type { BoundTool, ToolDefinition } from '../../tools/tool-definition';
import { ToolResult } from '../../tools/tool-result';
import type { Trust } from '../../types/outcome';
import { Integer } from '../../types/type-spec';
import { jsonAt } from './json-at';

/** Characters that one run keeps of its cut results; the oldest make room. */
const MOST_KEPT = 20_000_000;
const PAGE = 10_000;
const MOST_MATCHES = 20;
const AROUND_MATCH = 300;

interface Kept {
  readonly text: string;
  readonly trust: Trust;
}

interface PageRequest {
  readonly call_id: string;
  readonly page?: number | undefined;
  readonly search?: string | undefined;
  readonly path?: string | undefined;
}

/** The whole texts of results that had to be cut, for one run, and the tool that reads on in them. */
export class Pager {
  /** The agent's tools and the pager's own. */
  readonly tools: ReadonlyMap<string, BoundTool>;
  readonly modelTool: ModelTool;
  private readonly kept = new Map<string, Kept>();
  private size = 0;

  constructor(tools: ReadonlyMap<string, BoundTool>) {
    let name = 'read_output';
    for (let at = 2; tools.has(name); at++) name = `read_output_${at}`;
    const { definition, modelTool } = pagerTool(name);
    this.modelTool = modelTool;
    this.tools = new Map(tools).set(name, { definition, host: this });
  }

  /** Said inside a cut result. */
  readonly advice = (callId: string): string => `Read on with ${this.modelTool.name}({"call_id": ${JSON.stringify(callId)}}).`;

  keep(results: readonly CallResult[]): void {
    for (const { overflow, message } of results) {
      if (overflow === undefined || overflow.length > MOST_KEPT) continue;
      this.kept.set(message.callId, { text: overflow, trust: message.trust });
      this.size += overflow.length;
    }
    for (const [oldest, { text }] of this.kept) {
      if (this.size <= MOST_KEPT) return;
      this.kept.delete(oldest);
      this.size -= text.length;
    }
  }

  /** What is kept, for a run that is interrupted. */
  entries(): readonly (readonly [callId: string, text: string, trust: Trust])[] {
    return [...this.kept].map(([callId, { text, trust }]) => [callId, text, trust]);
  }

  restore(entries: readonly (readonly [callId: string, text: string, trust: Trust])[]): void {
    for (const [callId, text, trust] of entries) {
      this.kept.set(callId, { text, trust });
      this.size += text.length;
    }
  }

  read(request: PageRequest): ToolResult {
    const kept = this.kept.get(request.call_id);
    if (kept === undefined) return ToolResult.error(this.unknown(request.call_id));
    const text = request.path === undefined ? kept.text : jsonAt(kept.text, request.path);
    if (typeof text !== 'string') return ToolResult.error(text.problem);
    const content = request.search === undefined ? page(text, request.page ?? 1) : matches(text, request.search);
    // What was not to be believed in the result is no better here.
    return ToolResult.content(content, { trust: kept.trust });
  }

  private unknown(callId: string): string {
    const known = [...this.kept.keys()];
    const what = `No cut result is kept for the call ${JSON.stringify(callId)}.`;
    return known.length === 0 ? what : `${what} Kept: ${known.slice(-10).join(', ')}.`;
  }
}

function page(text: string, wanted: number): string {
  const pages = Math.max(1, Math.ceil(text.length / PAGE));
  const at = Math.min(Math.max(1, wanted), pages);
  if (pages === 1) return text;
  return `[page ${at} of ${pages}]\n${text.slice((at - 1) * PAGE, at * PAGE)}`;
}

function matches(text: string, search: string): string {
  const haystack = text.toLowerCase();
  const needle = search.toLowerCase();
  const found: string[] = [];
  let count = 0;
  for (let at = haystack.indexOf(needle); at >= 0 && needle !== ''; at = haystack.indexOf(needle, at + needle.length)) {
    count++;
    if (found.length < MOST_MATCHES)
      found.push(
        `[at character ${at}, page ${Math.floor(at / PAGE) + 1}]\n${text.slice(Math.max(0, at - AROUND_MATCH), at + needle.length + AROUND_MATCH)}`,
      );
  }
  return [`[${count} matches${count > found.length ? `, the first ${found.length} shown` : ''}]`, ...found].join('\n\n');
}

const byName = new Map<string, { readonly definition: ToolDefinition; readonly modelTool: ModelTool }>();

function pagerTool(name: string): { readonly definition: ToolDefinition; readonly modelTool: ModelTool } {
  const known = byName.get(name);
  if (known !== undefined) return known;
  const declared = defineTool({
    name,
    label: 'Read a long result on',
    description: 'Reads on in a result that was cut because it is long: by page, by a text to search for, or by a path into JSON.',
    parameters: {
      call_id: { type: String, description: 'The id named where the result was cut' },
      page: { type: Integer, optional: true, minimum: 1, description: 'Which page, from 1' },
      search: { type: String, optional: true, minLength: 1, description: 'Gives the places where this text stands instead of a page' },
      path: { type: String, optional: true, description: 'Only this part of a JSON result, such as items[3].name' },
    },
    annotations: { readOnly: true, openWorld: false },
    execute: () => undefined,
  }) as unknown as ToolDefinition;
  const definition: ToolDefinition = Object.freeze({
    ...declared,
    call: (host: object | undefined, args: unknown) => (host as Pager).read(args as PageRequest),
  });
  const { schema, strict } = definition.contract;
  const modelTool = Object.freeze({
    name,
    description: definition.description,
    parameters: schema,
    ...(strict !== undefined && { strict }),
  });
  const made = { definition, modelTool };
  byName.set(name, made);
  return made;
}

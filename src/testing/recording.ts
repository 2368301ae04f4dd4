import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../errors/usage-error';
import { joinPieces } from '../models/join-pieces';
import type { ModelCapabilities, ModelChunk, ModelRequest } from '../models/model';
import { redact, REDACTED } from '../trust/redaction';
import type { Message } from '../types/message';

/** One request and what was answered. */
export interface Exchange {
  /** The request as text, which is what requests are compared by. */
  readonly request: string;
  readonly chunks: readonly ModelChunk[];
}

/** What a file of recordings holds. */
export interface Recording {
  readonly model: string;
  readonly capabilities: ModelCapabilities;
  readonly exchanges: readonly Exchange[];
}

interface StoredExchange {
  readonly request: unknown;
  readonly chunks: readonly ModelChunk[];
}

/** Keys as services write them; what else is secret is registered. */
const KEY = /\b(?:sk|pk|rk|gsk|xai|ghp|gho|xox[abp]|AIza|github_pat)[-_]?[\w-]{16,}|\bBearer\s+[\w.~+/-]{8,}=*/g;
const KINDS: readonly string[] = [
  'text',
  'reasoning',
  'call',
  'refusal',
  'usage',
  'extra',
  'warning',
  'end',
] satisfies ModelChunk['type'][];

/**
 * A request as the text that it is compared by: without secrets, and without what is made up anew in every run (the ids of calls, the
 * markers of fences).
 */
export function requestText(request: ModelRequest, normalise: (text: string) => string): string {
  const { messages, tools, toolChoice, parallelToolCalls, output, settings } = request;
  const said = {
    messages: redact(stable(messages)),
    tools,
    toolChoice,
    parallelToolCalls,
    ...(output && { output }),
    settings: redact(settings),
  };
  return JSON.stringify(said, (_key, value: unknown) => (typeof value === 'string' ? normalise(withoutKeys(value)) : value), 2);
}

/** An answer as it is kept: in few pieces, so that none of them holds half a secret. */
export function keptChunks(chunks: readonly ModelChunk[]): ModelChunk[] {
  const kept = chunks.filter(({ type }) => type !== 'warning');
  joinPieces(kept);
  const clean = kept.map((chunk) => (chunk.type === 'usage' || chunk.type === 'end' ? chunk : redact(chunk)));
  return JSON.parse(
    JSON.stringify(clean, (_key, value: unknown) => (typeof value === 'string' ? withoutKeys(value) : value)),
  ) as ModelChunk[];
}

/** @returns what the file holds; `undefined` when there is none. @throws UsageError when it holds something else */
export function readRecording(file: string): Recording | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return undefined;
    throw new UsageError(`recordedModel: ${file} cannot be read.`, { cause: error });
  }
  try {
    const stored = JSON.parse(text) as { v: unknown; model: string; capabilities: ModelCapabilities; exchanges: StoredExchange[] };
    if (stored.v !== 1 || typeof stored.model !== 'string' || typeof stored.capabilities !== 'object') throw new TypeError('wrong version');
    const exchanges = stored.exchanges.map(({ request, chunks }) => ({ request: JSON.stringify(request, null, 2), chunks }));
    if (!exchanges.every(({ chunks }) => isAnswer(chunks))) throw new TypeError('an answer without its end');
    return { model: stored.model, capabilities: stored.capabilities, exchanges };
  } catch (cause) {
    throw new UsageError(`recordedModel: ${file} holds no recordings. Delete it and record again.`, { cause });
  }
}

/** Writes the whole file at once, so that a reader never sees half of it. */
export function writeRecording(file: string, { model, capabilities, exchanges }: Recording): void {
  const stored = exchanges.map(({ request, chunks }): StoredExchange => ({ request: JSON.parse(request) as unknown, chunks }));
  const part = `${file}.${process.pid}.part`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(part, `${JSON.stringify({ v: 1, model, capabilities, exchanges: stored }, null, 2)}\n`);
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
}

function isAnswer(chunks: unknown): boolean {
  if (!Array.isArray(chunks)) return false;
  const kinds = chunks.map((chunk: unknown) => (chunk as { readonly type?: unknown } | null)?.type);
  return kinds.at(-1) === 'end' && kinds.every((kind) => KINDS.includes(kind as string));
}

function withoutKeys(text: string): string {
  return text.replace(KEY, REDACTED);
}

/** Messages whose calls are numbered in their order, and whose results all have the same marker. */
function stable(messages: readonly Message[]): unknown[] {
  const ids = new Map<string, string>();
  const idOf = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `call_${ids.size + 1}`);
    return ids.get(id)!;
  };
  return messages.map((message) => {
    if (message.role === 'assistant') return { ...message, calls: message.calls.map((call) => ({ ...call, id: idOf(call.id) })) };
    if (message.role !== 'tool') return message;
    const { marker, ...rest } = message;
    const said = { ...rest, callId: idOf(message.callId) };
    return marker === undefined ? said : (JSON.parse(JSON.stringify(said).replaceAll(marker, 'marker')) as unknown);
  });
}

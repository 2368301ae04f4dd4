import { ContextUpdate } from '../tools/context-update';
import type { ToolDefinition } from '../tools/tool-definition';
import { ToolResult } from '../tools/tool-result';
import type { Part } from '../types/message';
import type { Trust } from '../types/outcome';
import type { StateOperation } from '../types/state-operation';
import { toPlain } from './plain-value';
import { fitJson, fitText, type FittedText } from './result-budget';
import { resultText } from './result-text';

/** What a tool returned, read: what the model sees of it, and what goes elsewhere. */
export interface ToolAnswer {
  readonly parts: readonly Part[];
  readonly isError: boolean;
  readonly trust: Trust;
  readonly details?: unknown;
  readonly effects?: readonly unknown[];
  readonly operations: readonly StateOperation[];
  readonly overflow?: string;
}

const NO_OPERATIONS: readonly StateOperation[] = Object.freeze([]);
/** The envelope's fields in the order in which they are sent. */
const ENVELOPE = ['status', 'message', 'data', 'instruction', 'error', 'suggestion', 'total', 'note'] as const;
const STATUSES: readonly unknown[] = ['success', 'error', 'partial', 'preview'];

/**
 * Reads what a tool returned. Never throws.
 * @param tool absent for texts of the gate itself, and for calls of no known tool
 * @param readOn how to read the rest of what is cut
 */
export function readResult(value: unknown, tool: ToolDefinition | undefined, readOn: string): ToolAnswer {
  const max = tool?.behaviour.maxResultChars ?? Infinity;
  const trust = tool?.behaviour.trust ?? 'trusted';
  if (typeof value === 'string') return answer(fitText(resultText(value), max, readOn), trust);
  try {
    if (ToolResult.is(value)) return fromToolResult(value, trust, max, readOn);
    if (value instanceof ContextUpdate) return { ...answer({ text: 'Done.' }, trust), operations: value.operations };
    // What comes from elsewhere is data: neither a status nor a part of its making is taken at its word.
    if (trust === 'trusted' && isParts(value)) return fromParts(value, trust, max, readOn);
    const envelope = trust === 'trusted' ? envelopeOf(value) : undefined;
    if (envelope !== undefined) return { ...answer(fitJson(envelope, max, readOn), trust), isError: envelope.status === 'error' };
  } catch {
    // A proxy or a getter that throws: what can be read of it is said below.
  }
  return answer(value === undefined ? { text: resultText(value) } : fitJson(toPlain(value) ?? null, max, readOn), trust);
}

function answer({ text, overflow }: FittedText, trust: Trust): ToolAnswer {
  const parts: readonly Part[] = [{ type: 'text', text }];
  return overflow === undefined
    ? { parts, isError: false, trust, operations: NO_OPERATIONS }
    : { parts, isError: false, trust, operations: NO_OPERATIONS, overflow };
}

function fromToolResult(result: ToolResult, toolTrust: Trust, max: number, readOn: string): ToolAnswer {
  const trust = result.trust === 'untrusted' || result.trust === 'trusted' ? result.trust : toolTrust;
  const said =
    result.envelope !== undefined
      ? answer(fitJson(setFields(result.envelope), max, readOn), trust)
      : fromParts(Array.isArray(result.content) ? (result.content as readonly Part[]) : [], trust, max, readOn);
  return {
    ...said,
    isError: result.isError === true,
    ...(result.details === undefined ? undefined : { details: toPlain(result.details) }),
    ...(Array.isArray(result.effects) ? { effects: toPlain(result.effects) as unknown[] } : undefined),
    operations: Array.isArray(result.update?.operations) ? result.update.operations : NO_OPERATIONS,
  };
}

/** Parts as they are, text and JSON within the budget together: each gets what those before it left. */
function fromParts(parts: readonly Part[], trust: Trust, max: number, readOn: string): ToolAnswer {
  const shown: Part[] = [];
  const cut: string[] = [];
  let left = max;
  for (const part of parts) {
    const plain = toPlain(part) as Part;
    if (plain.type === 'image' || plain.type === 'file') {
      shown.push(plain);
      continue;
    }
    const fitted =
      plain.type === 'text' ? fitText(resultText(String(plain.text)), left, readOn) : fitJson(toPlain(jsonOf(plain)) ?? null, left, readOn);
    left = Math.max(0, left - fitted.text.length);
    if (fitted.overflow !== undefined) cut.push(fitted.overflow);
    if (fitted.text === '') continue;
    shown.push(plain.type === 'json' && fitted.overflow === undefined ? plain : { type: 'text', text: fitted.text });
  }
  if (shown.length === 0) shown.push({ type: 'text', text: 'Done. The tool returned no content.' });
  const said: ToolAnswer = { parts: shown, isError: false, trust, operations: NO_OPERATIONS };
  return cut.length === 0 ? said : { ...said, overflow: cut.join('\n\n') };
}

/** The value of a JSON part; anything that is no part is shown as the JSON that it is. */
function jsonOf(part: Part): unknown {
  return part.type === 'json' ? part.value : part;
}

/** A plain object that says how it went in the envelope's own words, and nothing else. */
function envelopeOf(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  if (!Object.hasOwn(value, 'status') || !STATUSES.includes((value as { status: unknown }).status)) return undefined;
  return Object.keys(value).every((key) => (ENVELOPE as readonly string[]).includes(key)) ? setFields(value) : undefined;
}

function setFields(envelope: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of ENVELOPE) {
    const value = toPlain((envelope as Record<string, unknown>)[name]);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

/** A longer list is data, and is not looked through to find out: a sparse one has as many places as its length says. */
const MOST_PARTS = 1_000;

/**
 * Whether a plain list is content: every item exactly a part, images and files with what they hold. A list of other data, such as a
 * directory's `{ type: 'file', name }`, is not.
 */
function isParts(value: unknown): value is readonly Part[] {
  return Array.isArray(value) && value.length > 0 && value.length <= MOST_PARTS && value.every(isPart);
}

function isPart(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false;
  const part = item as Record<string, unknown>;
  const keys = Object.keys(part);
  if (part['type'] === 'text') return keys.length === 2 && typeof part['text'] === 'string';
  if (part['type'] !== 'image' && part['type'] !== 'file') return false;
  return (
    typeof part['mediaType'] === 'string' &&
    (typeof part['data'] === 'string' || typeof part['url'] === 'string') &&
    keys.every((key) => ['type', 'name', 'url', 'data', 'mediaType'].includes(key))
  );
}

/** Text of the gate, as parts. */
export function textParts(text: string): readonly Part[] {
  return [{ type: 'text', text: text.toWellFormed() }];
}

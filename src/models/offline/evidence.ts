import type { Message, Part, ToolMessage } from '../../types/message';
import { pathsIn, soleValue } from './mentions';
import { termsOf } from './words';

/** One line of a result, with the place it comes from where that is known. */
export interface EvidenceLine {
  readonly text: string;
  readonly path: string | undefined;
  readonly terms: readonly string[];
  readonly tool: string;
}

/** What the tools gave back since the question. */
export interface Evidence {
  readonly lines: readonly EvidenceLine[];
  /** How many there are in all, where the last result said so of what it gave a part of. */
  readonly total: number | undefined;
  /** Values by key, where results are objects: what a later call may take over. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Calls that did not succeed, with what they said. */
  readonly failures: readonly { readonly tool: string; readonly text: string }[];
}

const MOST_CHARACTERS = 400_000;
const MOST_LINES = 5_000;
const LONGEST_LINE = 600;
const DEEPEST = 20;

/** Reads results: JSON, text, or either between fences. */
export function evidenceOf(messages: readonly Message[], argumentsOf: ReadonlyMap<string, string>): Evidence {
  const reader = new EvidenceReader();
  const failures: { tool: string; text: string }[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    const text = resultText(message);
    if (message.outcome === 'ok') reader.result(message, text, soleFile(argumentsOf.get(message.callId)));
    else failures.push({ tool: message.name, text: withoutFence(text).trim().slice(0, LONGEST_LINE) });
  }
  return { lines: reader.lines, total: reader.total, values: reader.values, failures };
}

class EvidenceReader {
  readonly lines: EvidenceLine[] = [];
  readonly values = new Map<string, unknown>();
  total: number | undefined;
  private characters = 0;

  result(message: ToolMessage, text: string, asked: string | undefined): void {
    const parsed = parsedJson(text);
    const part = isPart(parsed) ? parsed : undefined;
    this.total = typeof part?.total === 'number' ? part.total : undefined;
    if (parsed === undefined) this.text(text, asked, message.name);
    else this.value(part === undefined ? parsed : part.data, asked, message.name, 0);
  }

  private value(value: unknown, path: string | undefined, tool: string, depth: number): void {
    if (depth > DEEPEST || value === null || value === undefined) return;
    if (typeof value === 'string') return this.text(value, path, tool);
    if (typeof value !== 'object') return this.line(JSON.stringify(value), path, tool);
    if (Array.isArray(value)) {
      for (const item of value) this.value(item, path, tool, depth + 1);
      return;
    }
    const entries = Object.entries(value as Record<string, unknown>).filter(([key, inner]) => !isEnvelopeStatus(key, inner));
    const flat = entries.every(([, inner]) => typeof inner !== 'object' || inner === null);
    const place = placeOf(entries) ?? path;
    for (const [key, inner] of entries) if (!this.values.has(key) && typeof inner !== 'object') this.values.set(key, inner);
    if (flat && !entries.some(([, inner]) => typeof inner === 'string' && inner.includes('\n'))) {
      this.line(flatText(entries, place), place, tool);
      return;
    }
    for (const [key, inner] of entries)
      if (typeof inner === 'object' || (typeof inner === 'string' && inner.includes('\n'))) this.value(inner, place, tool, depth + 1);
      else if (inner !== place) this.line(`${key}: ${scalarText(inner)}`, place, tool);
  }

  private text(text: string, asked: string | undefined, tool: string): void {
    let heading = asked;
    for (const raw of withoutFence(text).split('\n')) {
      const line = raw.trim();
      if (line === '') continue;
      if (isPath(line)) heading = line;
      const at = /^(.{1,300}?):\d+[:\s]/.exec(line)?.[1];
      this.line(line, at ?? heading, tool);
    }
  }

  private line(text: string, path: string | undefined, tool: string): void {
    if (this.lines.length >= MOST_LINES || this.characters > MOST_CHARACTERS) return;
    const shown = text.slice(0, LONGEST_LINE).trim();
    this.characters += shown.length;
    this.lines.push({ text: shown, path: path ?? pathsIn(shown)[0], terms: termsOf(shown), tool });
  }
}

function scalarText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function placeOf(entries: readonly (readonly [string, unknown])[]): string | undefined {
  const texts = entries.filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string' && !entry[1].includes('\n'));
  const named = texts.find(([key, inner]) => /^(file|path|file_?name|file_?path|document|page|uri)$/i.test(key) && inner.length <= 300);
  return (named ?? texts.find(([, inner]) => isPath(inner)))?.[1];
}

/** Whether a result says that it is a part of more. */
function isPart(value: unknown): value is { readonly data: readonly unknown[]; readonly total?: unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'status' in value &&
    value.status === 'partial' &&
    'data' in value &&
    Array.isArray(value.data)
  );
}

function isEnvelopeStatus(key: string, value: unknown): boolean {
  return key === 'status' && (value === 'success' || value === 'partial' || value === 'preview');
}

/** `src/a.ts:12: text` where an object says so, else `key: value, key: value`. */
function flatText(entries: readonly (readonly [string, unknown])[], place: string | undefined): string {
  const rest = entries.filter(([, value]) => value !== place && value !== null && value !== undefined && value !== '');
  const number = rest.find(([key, value]) => /^(line|lineno|line_?number|row)$/i.test(key) && typeof value === 'number');
  const others = rest.filter((entry) => entry !== number);
  const sole = others.length === 1 ? String(others[0]?.[1]) : undefined;
  if (place !== undefined && entries.some(([, value]) => value === place)) {
    const head = number === undefined ? place : `${place}:${String(number[1])}`;
    if (others.length === 0) return head;
    return `${head}: ${sole ?? others.map(([key, value]) => `${key}: ${String(value)}`).join(', ')}`;
  }
  return rest.map(([key, value]) => `${key}: ${String(value)}`).join(', ');
}

function parsedJson(text: string): unknown {
  const bare = withoutFence(text).trim();
  if (!/^[[{]/.test(bare)) return undefined;
  try {
    return JSON.parse(bare);
  } catch {
    return undefined;
  }
}

/** Takes off lines that only mark where foreign text begins and ends. */
function withoutFence(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*(```|~~~)\S*\s*$|^\s*<\/?[\w-]+( [^<>]*)?>\s*$|^Data from outside\./.test(line.slice(0, LONGEST_LINE)))
    .join('\n');
}

function resultText(message: ToolMessage): string {
  return message.parts.map(partText).join('\n');
}

function partText(part: Part): string {
  if (part.type === 'text') return part.text;
  return part.type === 'json' ? (JSON.stringify(part.value) ?? '') : '';
}

/** The file that a call asked for: lines of its result come from there. */
function soleFile(args: string | undefined): string | undefined {
  const value = soleValue(args);
  return value !== undefined && isPath(value) ? value : undefined;
}

/** Whether a whole text is one file's path, blanks in names included. */
export function isPath(text: string): boolean {
  if (text.length > 300 || /\.\s/.test(text)) return false;
  return /^[^\n:*?"<>|(){}=;,]*[^\s:*?"<>|(){}=;,/]\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(text) || /^(?:[\w.@-]+\/)+[\w.@-]+$/.test(text);
}

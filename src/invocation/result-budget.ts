import { plainText } from './result-text';

/** A text that fits, and the whole one where something had to go. */
export interface FittedText {
  readonly text: string;
  readonly overflow?: string;
}

const MAX_ROUNDS = 40;
/** Strings shorter than this are not cut inside JSON: little would be won. */
const LONG_STRING = 200;

/**
 * Makes a text fit: the beginning and the end stay, with a line between them that says how much was left out.
 * @param max UTF-16 code units
 * @param readOn how to read the rest, said behind the count
 */
export function fitText(text: string, max: number, readOn: string = ''): FittedText {
  return text.length <= max ? { text } : { text: headAndTail(text, max, readOn), overflow: text };
}

/**
 * Makes data fit as valid JSON: items are dropped whole from the end of the largest list, with their count in place; where no list is
 * left to shorten, long strings are. Only when neither helps is the JSON text cut like any other.
 * @param plain what `toPlain` gave; it is not changed
 * @param max UTF-16 code units
 */
export function fitJson(plain: unknown, max: number, readOn: string = ''): FittedText {
  const whole = plainText(plain);
  if (whole.length <= max) return { text: whole };
  const shortened: unknown = structuredClone(plain);
  const counts = new Map<unknown[], number>();
  for (let round = 0, size = whole.length; round < MAX_ROUNDS && size > max; round++) {
    const step = shorten(shortened, size - max, counts, readOn);
    if (!step) break;
    const text = plainText(shortened);
    if (text.length <= max) return { text, overflow: whole };
    if (text.length >= size && round > 8) break;
    size = text.length;
  }
  return { text: headAndTail(whole, max, readOn), overflow: whole };
}

function headAndTail(text: string, max: number, readOn: string): string {
  const line = (left: number): string =>
    `\n\n[… ${left} of ${text.length} characters left out here.${readOn === '' ? '' : ` ${readOn}`} …]\n\n`;
  const room = max - line(text.length).length;
  if (room < 20) return whole(text.slice(0, Math.max(0, max)));
  const head = whole(text.slice(0, Math.ceil(room * 0.7)));
  const tail = whole(text.slice(text.length - Math.floor(room * 0.3)));
  return head + line(text.length - head.length - tail.length) + tail;
}

/** Without the halves of characters that a cut left at either end. */
function whole(piece: string): string {
  return piece.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}

interface Sized {
  readonly holder: unknown[] | Record<string, unknown> | undefined;
  readonly key: string | number;
  readonly value: unknown;
  readonly size: number;
  readonly children: readonly Sized[];
}

/** Shortens the largest list, or the longest string, by at least `excess` characters if it can; says whether it did anything. */
function shorten(root: unknown, excess: number, counts: Map<unknown[], number>, readOn: string): boolean {
  const sized = measure(root, undefined, '');
  const list = largestList(sized);
  if (list !== undefined) return dropItems(list, excess, counts, readOn);
  const text = longestString(sized);
  if (text === undefined || text.holder === undefined) return false;
  const value = text.value as string;
  const max = Math.max(LONG_STRING / 2, value.length - excess - 100);
  (text.holder as Record<string | number, unknown>)[text.key] = headAndTail(value, max, readOn);
  return true;
}

function measure(value: unknown, holder: Sized['holder'], key: string | number): Sized {
  if (typeof value !== 'object' || value === null) return { holder, key, value, size: plainText(value).length, children: [] };
  const isList = Array.isArray(value);
  const children = isList
    ? value.map((item, at) => measure(item, value as unknown[], at))
    : Object.entries(value).map(([name, field]) => measure(field, value as Record<string, unknown>, name));
  const size = children.reduce((sum, child) => sum + child.size + 1 + (isList ? 0 : String(child.key).length + 3), 2);
  return { holder, key, value, size, children };
}

/** Lists with something to drop. The last item of a list that was shortened before is its note, which stays. */
const isList = (sized: Sized): boolean => Array.isArray(sized.value) && sized.children.length >= 2;

/** The largest list, or the one inside it that makes up most of it: dropping the one large item would lose everything. */
function largestList(sized: Sized): Sized | undefined {
  let best: Sized | undefined;
  for (const child of isList(sized) ? [] : sized.children) {
    const found = largestList(child);
    if (found !== undefined && (best === undefined || found.size > best.size)) best = found;
  }
  if (!isList(sized)) return best;
  const heavy = sized.children.find((child) => child.size > sized.size / 2);
  if (heavy === undefined) return sized;
  return largestList(heavy) ?? (longestString(heavy) === undefined ? sized : undefined);
}

function longestString(sized: Sized): Sized | undefined {
  if (typeof sized.value === 'string') return sized.value.length > LONG_STRING ? sized : undefined;
  let best: Sized | undefined;
  for (const child of sized.children) {
    const found = longestString(child);
    if (found !== undefined && (best === undefined || found.size > best.size)) best = found;
  }
  return best;
}

function dropItems(list: Sized, excess: number, counts: Map<unknown[], number>, readOn: string): boolean {
  const items = list.value as unknown[];
  const before = counts.get(items);
  // The note of an earlier round goes first, and comes back with the new count.
  if (before !== undefined) items.pop();
  const all = before ?? items.length;
  let won = -80 - readOn.length;
  let kept = items.length;
  while (kept > 0 && won < excess) won += (list.children[--kept] as Sized).size + 1;
  items.length = kept;
  items.push(`[${all - kept} of ${all} items left out here.${readOn === '' ? '' : ` ${readOn}`}]`);
  counts.set(items, all);
  return true;
}

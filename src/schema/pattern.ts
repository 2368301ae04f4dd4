/** A regular expression as a constraint. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** The longest text that is put against a pattern, in UTF-16 code units; a longer one is refused, unless the pattern takes linear time. */
const MAX_MATCHED_TEXT = 10_000;
/** How many steps a match may take before it is watched. */
const MAX_STEPS = 1_000_000;
/** How long one match of a pattern that may explode can take, in milliseconds. */
const MATCH_BUDGET = 100;

/** Flags that change what matches and that JSON Schema cannot say. `g`, `y` and `d` change nothing here and are left out. */
export function patternOf(pattern: string | RegExp): Pattern {
  if (typeof pattern === 'string') return { source: pattern, flags: compiles(pattern, 'u') ? 'u' : '' };
  return { source: pattern.source, flags: pattern.flags.replace(/[gyd]/g, '') };
}

/** Why a pattern cannot be used, or nothing. */
export function patternProblem(pattern: Pattern): string | undefined {
  try {
    new RegExp(pattern.source, pattern.flags);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether JSON Schema's `pattern` means the same. */
export const isPortable = (pattern: Pattern): boolean => pattern.flags.replace(/[uv]/g, '') === '';

/**
 * A test of texts that always ends: patterns whose backtracking can explode run under a time limit.
 * `undefined` means that it could not be decided within the limits.
 */
export function matcherOf(pattern: Pattern): (text: string) => boolean | undefined {
  const regExp = new RegExp(pattern.source, pattern.flags);
  const { power, choices } = costOf(pattern);
  if (power <= 1 && choices <= 100) return (text) => regExp.test(text);
  return (text) => {
    if (text.length > MAX_MATCHED_TEXT) return undefined;
    return choices * text.length ** power <= MAX_STEPS ? regExp.test(text) : testWithin(pattern, text);
  };
}

/** What backtracking may cost at most: the text's length to a power, times the choices that do not grow with the text. */
interface Cost {
  readonly power: number;
  readonly choices: number;
}

const FIXED: Cost = { power: 0, choices: 1 };
const LINEAR: Cost = { power: 1, choices: 1 };

/** An escape, a class of characters, the head of a group or any other character; then how often it may come, and whether it is lazy. */
const PIECE = /(\\(?:u\{[\da-f]+\}|p\{[^}]*\}|[^])|\[(?:\\[^]|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<[^>]*>)|[^])([*+?]|\{\d+(?:,\d*)?\})?\??/giu;

function costOf({ source, flags }: Pattern): Cost {
  const open: { cost: Cost; branches: number }[] = [{ cost: FIXED, branches: 1 }];
  const add = ({ power, choices }: Cost): void => {
    const group = open.at(-1)!;
    group.cost = { power: group.cost.power + power, choices: group.cost.choices * choices };
  };
  for (const [, piece = '', times] of source.matchAll(PIECE)) {
    if (piece.startsWith('(')) open.push({ cost: FIXED, branches: 1 });
    else if (piece === '|') open.at(-1)!.branches += 1;
    else if (piece === ')' && open.length > 1) {
      const { cost, branches } = open.pop()!;
      add(repeated({ power: cost.power, choices: cost.choices * branches }, times));
    } else add(repeated(/^\\[1-9k]/.test(piece) ? LINEAR : FIXED, times));
  }
  const { cost, branches } = open[0]!;
  const isAnchored = source.startsWith('^') && branches === 1 && !flags.includes('m');
  return { power: cost.power + (isAnchored ? 0 : 1), choices: cost.choices * branches };
}

/** From this many times on, a repetition counts as one without end. */
const MANY = 10;

function repeated({ power, choices }: Cost, times: string | undefined): Cost {
  const [least, most] = bounds(times);
  if (least !== most && most >= MANY) return power > 0 || choices > 1 ? { power: Infinity, choices } : LINEAR;
  return { power: power * most, choices: choices ** most * (most - least + 1) };
}

function bounds(times: string | undefined): readonly [least: number, most: number] {
  if (times === undefined) return [1, 1];
  if (times === '?') return [0, 1];
  const [least = '0', most = least] = times.match(/\d+/g) ?? [];
  return [Number(least), /\d\}$/.test(times) ? Number(most) : Infinity];
}

type Sandbox = { source: string; flags: string; text: string };
let bounded: ((sandbox: Sandbox) => boolean) | undefined;

function testWithin(pattern: Pattern, text: string): boolean | undefined {
  try {
    bounded ??= boundedTest();
    return bounded({ source: pattern.source, flags: pattern.flags, text });
  } catch {
    return undefined;
  }
}

// Only `vm` can interrupt a match; it is loaded when the first dangerous pattern meets a long text.
function boundedTest(): (sandbox: Sandbox) => boolean {
  const vm = require('node:vm') as typeof import('node:vm');
  const script = new vm.Script('new RegExp(source, flags).test(text)');
  const context = vm.createContext(Object.create(null) as Record<string, unknown>);
  return (sandbox) => {
    Object.assign(context, sandbox);
    return script.runInContext(context, { timeout: MATCH_BUDGET }) as boolean;
  };
}

function compiles(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

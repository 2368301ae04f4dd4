/** A regular expression as a constraint. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** The longest text that is put against a pattern, in UTF-16 code units; a longer one is refused, unless the pattern takes linear time. */
const MAX_MATCHED_TEXT = 10_000;
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
  const growth = growthOf(pattern.source);
  if (growth <= 1) return (text) => (text.length > MAX_MATCHED_TEXT && !pattern.source.startsWith('^') ? undefined : regExp.test(text));
  return (text) => {
    if (text.length > MAX_MATCHED_TEXT) return undefined;
    return text.length ** growth <= 1_000_000 ? regExp.test(text) : testWithin(pattern, text);
  };
}

/** Repetitions that may be long: `{3,}`, `{1,50}`. */
const REPEATED = /^\{\d+,(\d{2,})?\}/;

/** How fast matching can grow with the text: the number of unbounded repetitions, or infinity when one holds another. */
function growthOf(source: string): number {
  const groups: { repeats: boolean; branches: boolean }[] = [{ repeats: false, branches: false }];
  let count = 0;
  let inClass = false;
  let closed: { repeats: boolean; branches: boolean } | undefined;
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at];
    const before = closed;
    closed = undefined;
    if (char === '\\') {
      if (/[1-9k]/.test(source[at + 1] ?? '')) count += 1;
      at += 1;
    } else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') groups.push({ repeats: false, branches: false });
    else if (char === ')') {
      closed = groups.length > 1 ? groups.pop() : undefined;
      const around = groups[groups.length - 1];
      if (around !== undefined && closed !== undefined) around.repeats ||= closed.repeats;
    } else if (char === '|') groups[groups.length - 1]!.branches = true;
    else if (char === '*' || char === '+' || (char === '{' && REPEATED.test(source.slice(at, at + 14)))) {
      if (before !== undefined && (before.repeats || before.branches)) return Infinity;
      count += 1;
      groups[groups.length - 1]!.repeats = true;
    }
  }
  return count;
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

import { UsageError } from '../errors/usage-error';
import type { Random } from './random';

const MOST_REPEATS = 8;
const DEEPEST = 60;
const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
const DIGITS = [...'0123456789'];
const WORD = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'];
const SPACES = [' ', '\t'];

/**
 * A text that a regular expression accepts, of the length wanted where it can stretch. It reads what schemas use: classes,
 * groups, alternatives, repeats, anchors. The caller tests what comes out.
 * @throws UsageError for look-arounds and back references
 */
export function textMatching(pattern: string, minLength: number, maxLength: number, random: Random): string {
  const stretch = Math.min(maxLength, Math.max(minLength, 1)) + random.between(0, 2);
  const text = new PatternReader(pattern, random, stretch).text();
  // A pattern without anchors may be met anywhere in the text.
  if (text.length < minLength && !pattern.endsWith('$')) return text + 'a'.repeat(minLength - text.length);
  return text.length < minLength && !pattern.startsWith('^') ? 'a'.repeat(minLength - text.length) + text : text;
}

class PatternReader {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly pattern: string,
    private readonly random: Random,
    private readonly stretch: number,
  ) {}

  text(): string {
    const made = this.alternatives();
    return made();
  }

  private alternatives(): () => string {
    if (++this.depth > DEEPEST) throw this.unsupported('it is nested too deeply');
    const options = [this.sequence()];
    while (this.pattern[this.at] === '|') {
      this.at += 1;
      options.push(this.sequence());
    }
    this.depth -= 1;
    return () => this.random.pick(options)();
  }

  private sequence(): () => string {
    const items: (() => string)[] = [];
    while (this.at < this.pattern.length && this.pattern[this.at] !== '|' && this.pattern[this.at] !== ')')
      items.push(this.repeated(this.atom()));
    return () => items.map((item) => item()).join('');
  }

  private repeated(item: () => string): () => string {
    const rest = this.pattern.slice(this.at);
    const counted = /^\{(\d+)(?:(,)(\d*))?\}/.exec(rest);
    const sign = counted?.[0] ?? /^[*+?]/.exec(rest)?.[0];
    if (sign === undefined) return item;
    this.at += sign.length + (this.pattern[this.at + sign.length] === '?' ? 1 : 0);
    const from = counted === null ? (sign === '+' ? 1 : 0) : Number(counted[1]);
    const open = counted === null ? sign !== '?' : counted[2] !== undefined && counted[3] === '';
    const to = counted === null ? (sign === '?' ? 1 : Infinity) : counted[2] === undefined ? from : open ? Infinity : Number(counted[3]);
    return () => {
      const most = Math.min(to, from + Math.max(MOST_REPEATS, open || to > MOST_REPEATS ? this.stretch : 0));
      const count = this.random.chance(0.5) ? Math.min(most, Math.max(from, this.stretch)) : this.random.between(from, most);
      return Array.from({ length: count }, item).join('');
    };
  }

  private atom(): () => string {
    const sign = this.pattern[this.at++] as string;
    switch (sign) {
      case '^':
      case '$':
        return () => '';
      case '.':
        return () => this.random.pick(PRINTABLE);
      case '(': {
        const kind = /^\?(?::|<[A-Za-z]\w*>)/.exec(this.pattern.slice(this.at))?.[0];
        if (kind === undefined && this.pattern[this.at] === '?') throw this.unsupported('look-arounds cannot be met by construction');
        this.at += kind?.length ?? 0;
        const inner = this.alternatives();
        this.at += 1;
        return inner;
      }
      case '[': {
        const set = this.set();
        return () => this.random.pick(set);
      }
      case '\\': {
        if (this.pattern[this.at] === 'b' || this.pattern[this.at] === 'B') {
          this.at += 1;
          return () => '';
        }
        const set = this.escaped();
        return () => this.random.pick(set);
      }
      default:
        return () => sign;
    }
  }

  private set(): readonly string[] {
    const negated = this.pattern[this.at] === '^';
    if (negated) this.at += 1;
    const members: string[] = [];
    while (this.at < this.pattern.length && this.pattern[this.at] !== ']') {
      const one = this.member();
      const range = this.pattern[this.at] === '-' && this.pattern[this.at + 1] !== ']' && one.length === 1;
      if (!range) members.push(...one);
      else {
        this.at += 1;
        members.push(...between(one[0] as string, this.member()[0] as string));
      }
    }
    this.at += 1;
    const allowed = negated ? PRINTABLE.filter((char) => !members.includes(char)) : members;
    if (allowed.length === 0) throw this.unsupported('one of its classes is empty');
    return allowed;
  }

  private member(): readonly string[] {
    if (this.pattern[this.at] === '\\') {
      this.at += 1;
      return this.escaped();
    }
    const char = String.fromCodePoint(this.pattern.codePointAt(this.at) as number);
    this.at += char.length;
    return [char];
  }

  private escaped(): readonly string[] {
    const sign = this.pattern[this.at++] ?? '\\';
    switch (sign) {
      case 'd':
        return DIGITS;
      case 'w':
        return WORD;
      case 's':
        return SPACES;
      case 'D':
        return PRINTABLE.filter((char) => !DIGITS.includes(char));
      case 'W':
        return PRINTABLE.filter((char) => !WORD.includes(char));
      case 'S':
        return PRINTABLE.filter((char) => char !== ' ');
      case 'n':
        return ['\n'];
      case 'r':
        return ['\r'];
      case 't':
        return ['\t'];
      case 'p':
      case 'P': {
        const name = /^\{[^}]*\}/.exec(this.pattern.slice(this.at))?.[0] ?? '';
        this.at += name.length;
        const property = new RegExp(`\\${sign}${name}`, 'u');
        return PRINTABLE.filter((char) => property.test(char));
      }
      case 'u':
      case 'x': {
        const code = /^(?:\{([0-9a-f]+)\}|([0-9a-f]{4}|[0-9a-f]{2}))/i.exec(this.pattern.slice(this.at));
        this.at += code?.[0].length ?? 0;
        return [String.fromCodePoint(parseInt(code?.[1] ?? code?.[2] ?? '61', 16))];
      }
      default:
        if (/[1-9k]/.test(sign)) throw this.unsupported('back references cannot be met by construction');
        return [sign];
    }
  }

  private unsupported(why: string): UsageError {
    return new UsageError(`No text can be generated for the pattern ${JSON.stringify(this.pattern)}: ${why}.`);
  }
}

function between(from: string, to: string): string[] {
  const first = from.codePointAt(0) as number;
  const last = Math.min(to.codePointAt(0) as number, first + 500);
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
}

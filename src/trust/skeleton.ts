/** A text with its disguises taken off, and where each of its characters came from. */
export interface Skeleton {
  readonly text: string;
  /** For each UTF-16 unit of `text`: the range of the original that gave it. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

// Letters that look like Latin ones and that compatibility normalisation leaves alone (Cyrillic and Greek).
const LOOK_ALIKES = new Map(
  Object.entries({
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    у: 'y',
    х: 'x',
    і: 'i',
    ѕ: 's',
    ј: 'j',
    ԁ: 'd',
    һ: 'h',
    ԛ: 'q',
    ԝ: 'w',
    т: 't',
    к: 'k',
    м: 'm',
    в: 'b',
    н: 'h',
    α: 'a',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    ι: 'i',
    κ: 'k',
    ν: 'v',
    χ: 'x',
    ε: 'e',
    ı: 'i',
    '‹': '<',
    '›': '>',
    '〈': '<',
    '〉': '>',
    '⟨': '<',
    '⟩': '>',
    '«': '<<',
    '»': '>>',
    '⁄': '/',
    '∕': '/',
    '‗': '_',
  }),
);

const ENTITIES = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', lowbar: '_', sol: '/', lsqb: '[', rsqb: ']', nbsp: ' ' }));

// One disguised character at the head of a text: an HTML entity, a percent escape, a backslash escape.
const ESCAPE =
  /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));|%([0-9a-fA-F]{2})|\\u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})|\\x([0-9a-fA-F]{2})/y;

const DROPPED = /^[\p{Cf}\p{M}\p{White_Space}\p{Cc}\u{E0000}-\u{E0FFF}\u3164\u115F\u1160\uFFA0]$/u;

/**
 * What a text amounts to for a reader who sees through disguises: escapes decoded once, compatibility forms and look-alikes
 * folded, invisible, combining and white characters dropped, lower case. Linear in the text's length.
 */
export function skeletonOf(text: string): Skeleton {
  let out = '';
  const from: number[] = [];
  const to: number[] = [];
  for (let at = 0; at < text.length;) {
    const [character, length] = readCharacter(text, at);
    for (const plain of character.normalize('NFKD').toLowerCase()) {
      if (DROPPED.test(plain)) continue;
      const folded = LOOK_ALIKES.get(plain) ?? plain;
      out += folded;
      for (let unit = 0; unit < folded.length; unit++) {
        from.push(at);
        to.push(at + length);
      }
    }
    at += length;
  }
  return { text: out, from, to };
}

function readCharacter(text: string, at: number): readonly [character: string, length: number] {
  const first = text.charCodeAt(at);
  if (first === 0x26 || first === 0x25 || first === 0x5c) {
    ESCAPE.lastIndex = at;
    const found = ESCAPE.exec(text);
    if (found !== null) {
      const decoded = decode(found);
      if (decoded !== undefined) return [decoded, found[0].length];
    }
  }
  const point = text.codePointAt(at) as number;
  return [String.fromCodePoint(point), point > 0xffff ? 2 : 1];
}

function decode([, decimal, hexadecimal, named, percent, unit, point, byte]: readonly (string | undefined)[]): string | undefined {
  if (named !== undefined) return ENTITIES.get(named.toLowerCase());
  const hex = hexadecimal ?? percent ?? unit ?? point ?? byte;
  const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

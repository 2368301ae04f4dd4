import { UsageError } from '../errors/usage-error';
import { textMatching } from './generate-pattern';
import type { Random } from './random';

/** What a schema says of a text. */
export interface TextRules {
  readonly format: string | undefined;
  readonly pattern: string | undefined;
  readonly minLength: number;
  readonly maxLength: number;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const TRIES = 300;

/** A text that keeps all the rules: the format first, then pattern and length. Lengths count characters, as JSON Schema does. */
export function generateText(rules: TextRules, random: Random): string {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const text = candidate(rules, random);
    if (keeps(text, rules)) return text;
  }
  throw new UsageError(
    `No text was found for ${JSON.stringify(rules)}: its rules may contradict each other, or be too rare to meet by chance.`,
  );
}

function candidate({ format, pattern, minLength, maxLength }: TextRules, random: Random): string {
  const ofFormat = format === undefined ? undefined : textOfFormat(format, minLength, random);
  if (ofFormat !== undefined) return ofFormat;
  if (pattern !== undefined) return textMatching(pattern, minLength, maxLength, random);
  return word(random.between(minLength, Math.min(maxLength, minLength + 12)), random);
}

function keeps(text: string, { pattern, minLength, maxLength }: TextRules): boolean {
  const length = [...text].length;
  return length >= minLength && length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(text));
}

function word(length: number, random: Random): string {
  return Array.from({ length }, () => random.pick([...LETTERS])).join('');
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A text of a known format, as long as asked where the format can stretch; `undefined` for a format that says nothing here. */
function textOfFormat(format: string, minLength: number, random: Random): string | undefined {
  const date = `20${two(random.between(0, 99))}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`;
  const time = `${two(random.between(0, 23))}:${two(random.between(0, 59))}:${two(random.between(0, 59))}Z`;
  const name = (): string => word(random.between(3, 8), random);
  const hex = (length: number): string => Array.from({ length }, () => random.pick([...'0123456789abcdef'])).join('');
  const path = word(Math.max(4, Math.min(minLength, 2_000)), random);
  switch (format) {
    case 'date':
      return date;
    case 'date-time':
      return `${date}T${time}`;
    case 'time':
      return time;
    case 'duration':
      return `P${random.between(1, 30)}DT${random.between(1, 23)}H`;
    case 'uuid':
      return `${hex(8)}-${hex(4)}-4${hex(3)}-${random.pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`;
    case 'email':
    case 'idn-email':
      return `${name()}@${name()}.example`;
    case 'hostname':
    case 'idn-hostname':
      return `${name()}.example`;
    case 'ipv4':
      return Array.from({ length: 4 }, () => random.between(0, 255)).join('.');
    case 'ipv6':
      return Array.from({ length: 8 }, () => hex(4)).join(':');
    case 'uri':
    case 'url':
    case 'iri':
      return `https://${name()}.example/${path}`;
    case 'uri-reference':
    case 'iri-reference':
      return `/${path}`;
    case 'json-pointer':
      return `/${path}`;
    case 'regex':
      return `^${name()}$`;
    default:
      return undefined;
  }
}

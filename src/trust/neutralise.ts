import { skeletonOf } from './skeleton';

/** The word that only a fence may hold. */
export const FENCE_WORD = 'untrusted_tool_output';

/** Text that can do no harm by its form, and what was found in it. */
export interface Neutralised {
  readonly text: string;
  /** Why it looks suspicious; empty for ordinary text, which is unchanged. */
  readonly signals: readonly string[];
}

// Plain ASCII without anything that the rules below look for: the common case, returned as it is.
const ORDINARY = /^(?!.*(?:untrusted|u\s*n\s*t\s*r\s*u\s*s\s*t))[\n\t\x20-\x7e]*$/is;
const NEEDS_A_LOOK = /[&%\\<[|!]/;

// Control tokens of chat templates, and markup by which models write calls into text.
const TEMPLATE_TOKEN =
  /<([|｜])|([|｜])>|<(?=\/?(?:s|bos|eos|start_of_turn|end_of_turn|begin_of_turn|unk|pad)>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])|<(?=<\/?SYS>>)/gi;
const CALL_MARKUP =
  /<(?=\/?\s*(?:tool_calls?|tool_use|tool_response|tool_result|function_calls?|function_results?|functions?\s*[=>]|invoke\b|parameter\s*[= ]))/gi;
// What a renderer would load by itself.
const IMAGE = /!\[([^\]\n]{0,500})\]\s*\(\s*<?([^)\s>]{0,2000})[^)\n]{0,500}\)/g;
const IMAGE_REFERENCE = /!\[([^\]\n]{0,500})\](?=\s*\[)/g;
const LOADING_TAG = /<(?:img|image|iframe|frame|script|object|embed|link|svg|video|audio|source|base|meta)\b[^>]{0,2000}/gi;
const CONTROL = /\r\n|[\0-\x08\x0b-\x1f\x7f-\x9f]/g;
const INVISIBLE = /[\p{Cf}\u{E0000}-\u{E0FFF}\u3164\u115F\u1160\uFFA0\u2028\u2029]+/gu;
// A joiner inside an emoji sequence, and the non-joiners that several scripts need between letters.
const JOINED_EMOJI = /^\u200d$/;

/** Makes imitated fences, template tokens, call markup, self-loading content, control and invisible characters inert, readable and reported. */
export function neutralise(text: string): Neutralised {
  const wellFormed = text.toWellFormed();
  if (ORDINARY.test(wellFormed) && !NEEDS_A_LOOK.test(wellFormed)) return { text: wellFormed, signals: [] };
  const signals = new Set<string>();
  let out = replaceFenceMarks(wellFormed, signals);
  out = replace(out, CONTROL, signals, 'control characters', (found) => (found === '\r\n' ? undefined : escapeUnit(found)));
  out = out.replaceAll('\r\n', '\n');
  out = replaceInvisible(out, signals);
  out = replace(out, TEMPLATE_TOKEN, signals, 'chat template tokens', (found) =>
    found.endsWith('>') ? `${found[0] as string} >` : `${found[0] as string} ${found.slice(1)}`,
  );
  out = replace(out, CALL_MARKUP, signals, 'tool call markup', () => '< ');
  out = out.replace(IMAGE, (_, alt: string, url: string) => {
    signals.add(`an image that would load by itself (${hostOf(url)})`);
    return `[image: ${alt}](${url})`;
  });
  out = replace(out, IMAGE_REFERENCE, signals, 'an image that would load by itself', (found) => `[image: ${found.slice(2, -1)}]`);
  for (const [tag] of out.matchAll(LOADING_TAG)) {
    const host = /https?:\/\/[^\s"'>]+/i.exec(tag)?.[0];
    // Only reported: changed tags would make source code unreadable to an agent that has to edit it.
    if (host !== undefined) signals.add(`HTML that would load by itself (${hostOf(host)})`);
  }
  return { text: out, signals: [...signals] };
}

/** Anything that amounts to a fence's word, however disguised, is replaced; what stands around it stays. */
function replaceFenceMarks(text: string, signals: Set<string>): string {
  const skeleton = skeletonOf(text);
  let out = '';
  let done = 0;
  for (let at = skeleton.text.indexOf(FENCE_WORD); at >= 0; at = skeleton.text.indexOf(FENCE_WORD, at + FENCE_WORD.length)) {
    const start = skeleton.from[at] as number;
    out += `${text.slice(done, Math.max(done, start))}[fence mark]`;
    done = skeleton.to[at + FENCE_WORD.length - 1] as number;
    signals.add('an imitated fence');
  }
  return out + text.slice(done);
}

function replace(text: string, pattern: RegExp, signals: Set<string>, signal: string, by: (found: string) => string | undefined): string {
  return text.replace(pattern, (found) => {
    const other = by(found);
    if (other === undefined) return found;
    signals.add(signal);
    return other;
  });
}

function replaceInvisible(text: string, signals: Set<string>): string {
  return text.replace(INVISIBLE, (run: string, at: number) => {
    if (JOINED_EMOJI.test(run) && isEmojiAt(text, at)) return run;
    signals.add('invisible characters');
    const points = [...run];
    return points.length > 8 ? `[${points.length} invisible characters]` : points.map(escapePoint).join('');
  });
}

function isEmojiAt(text: string, at: number): boolean {
  return (
    /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
    /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3))
  );
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const escapePoint = (point: string): string => {
  const code = point.codePointAt(0) as number;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : escapeUnit(point);
};

function hostOf(url: string): string {
  try {
    return new URL(url).host || 'no host';
  } catch {
    return 'no host';
  }
}

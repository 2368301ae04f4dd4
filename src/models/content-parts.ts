import { ModelError } from '../errors/run-error';
import type { FilePart, ImagePart, Part } from '../types/message';
import { asJson } from './plain';

/** How one API says content: each adapter has its own words for the same things. */
export interface ContentWords {
  text(text: string): object;
  image(url: string): object;
  file(name: string, dataUrl: string): object;
  audio?(data: string, format: 'wav' | 'mp3'): object;
}

/**
 * Parts as the content of a message: text alone stays text, anything else becomes a list.
 * @throws ModelError for an image that the model cannot see
 */
export function contentOf(parts: readonly Part[], words: ContentWords, images: boolean): string | object[] {
  const first = parts[0];
  if (parts.length === 1 && first?.type === 'text') return first.text;
  if (parts.every((part) => part.type === 'text' || part.type === 'json'))
    return parts.map((part) => (part.type === 'text' ? part.text : asJson((part as { value: unknown }).value))).join('\n');
  return parts.map((part) => contentPart(part, words, images));
}

/** The images and files among parts, which some APIs take only from a user. */
export function attachmentsOf(parts: readonly Part[]): readonly (ImagePart | FilePart)[] {
  return parts.filter((part): part is ImagePart | FilePart => part.type === 'image' || part.type === 'file');
}

function contentPart(part: Part, words: ContentWords, images: boolean): object {
  switch (part.type) {
    case 'text':
      return words.text(part.text);
    case 'json':
      return words.text(asJson(part.value));
    case 'image':
      if (!images)
        throw new ModelError('The messages hold an image, and this model cannot see images.', {
          advice: 'Use a model with images, or send a description instead.',
        });
      return words.image(imageUrl(part));
    case 'file':
      return filePart(part, words);
  }
}

function imageUrl(part: ImagePart): string {
  if (part.url !== undefined) return part.url;
  if (part.data !== undefined) return `data:${part.mediaType ?? 'image/png'};base64,${part.data}`;
  throw new ModelError('An image part has neither `url` nor `data`.', {
    advice: "Write { type: 'image', url } or { type: 'image', data: base64, mediaType: 'image/png' }.",
  });
}

function filePart(part: FilePart, words: ContentWords): object {
  const name = part.name ?? 'file';
  const type = part.mediaType ?? 'application/octet-stream';
  if (part.data === undefined) {
    if (part.url !== undefined) return words.text(`[file ${name}: ${part.url}]`);
    throw new ModelError(`The file part ${JSON.stringify(name)} has neither \`url\` nor \`data\`.`, {
      advice: "Write { type: 'file', name, data: base64, mediaType: 'application/pdf' }.",
    });
  }
  if (type.startsWith('text/') || type === 'application/json')
    return words.text(`[file ${name}]\n${Buffer.from(part.data, 'base64').toString('utf8')}`);
  const format = /^audio\/(?:x-)?(wav|mp3|mpeg)$/.exec(type)?.[1];
  if (format !== undefined && words.audio !== undefined) return words.audio(part.data, format === 'wav' ? 'wav' : 'mp3');
  return words.file(name, `data:${type};base64,${part.data}`);
}

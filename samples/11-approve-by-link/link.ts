import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DecisionTarget } from 'toolwright';

/** What a link says: which call of which conversation is decided. */
export interface LinkContent extends DecisionTarget {
  readonly session: string;
}

const secret = (): string => process.env.LINK_SECRET ?? 'only for this sample';
const sign = (text: string): Buffer => createHmac('sha256', secret()).update(text).digest();

/** A link that nobody else can make; who has it may decide, so it goes to one person only. */
export function linkFor(content: LinkContent): string {
  const body = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `https://shop.example/approve?c=${body}&s=${sign(body).toString('base64url')}`;
}

/** @throws Error for a link that was not made here, or was changed */
export function readLink(link: string): LinkContent {
  const query = new URL(link).searchParams;
  const body = query.get('c') ?? '';
  const given = Buffer.from(query.get('s') ?? '', 'base64url');
  const wanted = sign(body);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new Error('This link is not one of ours.');
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as LinkContent;
}

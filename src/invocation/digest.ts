import { createHash } from 'node:crypto';
import { canonicalText } from './result-text';
import { toPlain } from './plain-value';

/** 128 bits of SHA-256 over plain data, whatever the order of keys, in hexadecimal. */
export function digestOf(data: unknown): string {
  return createHash('sha256')
    .update(canonicalText(toPlain(data)))
    .digest('hex')
    .slice(0, 32);
}

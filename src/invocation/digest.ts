import { canonicalText } from './result-text';
import { toPlain } from './plain-value';

/** 128 bits of SHA-256 over plain data, whatever the order of keys, in hexadecimal. */
export function digestOf(data: unknown): string {
  // Loaded when it is first needed: most runs are never put down.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256')
    .update(canonicalText(toPlain(data)))
    .digest('hex')
    .slice(0, 32);
}

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { UsageError } from '../errors/usage-error';
import type { SnapshotCodec } from '../runner/persistence/snapshot';

const NONCE = 12;
const TAG = 16;
const SHORTEST_SECRET = 16;

/**
 * Snapshots that only the holder of the secret can read, or make: AES-256-GCM (NIST SP 800-38D), as base64.
 * @param secret at least 16 characters, from a secret store rather than from a person
 * @throws UsageError for a shorter one
 * @example new AgentRunner({ snapshotCodec: encryptedSnapshots(process.env.SNAPSHOT_KEY!) })
 */
export function encryptedSnapshots(secret: string): SnapshotCodec {
  if (typeof secret !== 'string' || secret.length < SHORTEST_SECRET)
    throw new UsageError(`encryptedSnapshots takes a secret of at least ${SHORTEST_SECRET} characters.`);
  const key = createHash('sha256').update(secret).digest();
  return {
    encode(text) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    decode(text) {
      const bytes = Buffer.from(text, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG });
      decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
    },
  };
}

import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ToolFailure } from '../../errors/tool-error';

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * The content of an answer, decompressed, as far as `most` bytes of it; what comes after is never read, however small it was packed.
 * @throws ToolFailure for a compression that is not known
 */
export async function readBody(response: IncomingMessage, most: number, signal: AbortSignal): Promise<{ bytes: Buffer; cut: boolean }> {
  const pieces: Buffer[] = [];
  let size = 0;
  const content = decompressed(response);
  const stop = (): void => void response.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const piece of content as AsyncIterable<Buffer>) {
      size += piece.length;
      pieces.push(piece);
      if (size > most) return { bytes: Buffer.concat(pieces).subarray(0, most), cut: true };
    }
    return { bytes: Buffer.concat(pieces), cut: false };
  } finally {
    signal.removeEventListener('abort', stop);
    response.destroy();
  }
}

function decompressed(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const decoder = DECODERS.get(encoding)?.();
  if (decoder === undefined) {
    response.destroy();
    throw new ToolFailure(`Its content is packed in a way that is not known (${encoding.slice(0, 40)}).`);
  }
  // An end in the middle must not look like the end.
  response.on('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

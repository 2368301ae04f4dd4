import { isRecord } from '../../errors/option-check';
import { SnapshotError } from '../../errors/session-error';
import { digestOf } from '../../invocation/digest';
import { toPlain } from '../../invocation/plain-value';
import type { RunDocument } from './run-document';
import { checkMessages } from '../conversation/transcript';

/** What happens to a snapshot's text on its way out and in: encryption, signing, compression. */
export interface SnapshotCodec {
  encode(text: string): string | Promise<string>;
  /** May throw for a text that is none of its own. */
  decode(text: string): string | Promise<string>;
}

const VERSION = 1;
/** UTF-16 code units. A text beyond it is not read. */
const LONGEST = 256_000_000;

/** A run as one text. */
export async function encodeSnapshot(document: RunDocument, codec: SnapshotCodec | undefined): Promise<string> {
  const run = written(document);
  // The digest is of what will be read, in which what JSON cannot say is gone.
  const text = `{"toolwright":"snapshot","v":${VERSION},"digest":${JSON.stringify(digestOf(JSON.parse(run)))},"run":${run}}`;
  return codec === undefined ? text : codec.encode(text);
}

function written(document: RunDocument): string {
  try {
    return JSON.stringify(document);
  } catch {
    // A message that was given to the run holds what JSON cannot say.
    return JSON.stringify(toPlain(document));
  }
}

/** A snapshot with what it is known by. */
export interface DecodedSnapshot {
  readonly digest: string;
  readonly document: RunDocument;
}

/**
 * Reads a snapshot.
 * @throws SnapshotError when it is damaged, or was written by a newer version
 */
export async function decodeSnapshot(snapshot: unknown, codec: SnapshotCodec | undefined): Promise<DecodedSnapshot> {
  if (typeof snapshot !== 'string') throw damaged('a snapshot is a text, as `result.snapshot` gives it');
  if (snapshot.length > LONGEST) throw damaged(`it is longer than ${LONGEST} characters`);
  const outer = parsed(codec === undefined ? snapshot : await decoded(snapshot, codec));
  if (!isRecord(outer) || outer['toolwright'] !== 'snapshot') throw damaged('it is no snapshot of a run');
  const version = outer['v'];
  if (typeof version === 'number' && version > VERSION)
    throw new SnapshotError(
      'newer',
      `The snapshot has version ${version}, and this package reads up to ${VERSION}. Update toolwright where it is resumed.`,
    );
  if (version !== VERSION) throw damaged('it says no version');
  const run = outer['run'];
  if (outer['digest'] !== digestOf(run)) throw damaged('its digest does not fit its content');
  if (!isDocument(run)) throw damaged('a part of the run is missing');
  return { digest: outer['digest'], document: run };
}

async function decoded(snapshot: string, codec: SnapshotCodec): Promise<string> {
  try {
    return await codec.decode(snapshot);
  } catch (cause) {
    throw new SnapshotError('damaged', 'The snapshot could not be decoded by `snapshotCodec`: it was changed, or made with another key.', {
      cause,
    });
  }
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    throw damaged('it is not JSON; a codec that it was written with may be missing');
  }
}

/** Whether everything that a resume relies on is there. What stands inside was written by this package, as the digest says. */
function isDocument(run: unknown): run is RunDocument {
  if (!isRecord(run) || typeof run['runId'] !== 'string' || typeof run['agent'] !== 'string') return false;
  const { state, effect, messages, records, elapsed, start } = run;
  if (!isRecord(state) || !isRecord(effect) || !Array.isArray(records)) return false;
  if (typeof elapsed !== 'number' || typeof start !== 'number' || !isRecord(state['usage']) || !isRecord(state['terms'])) return false;
  try {
    checkMessages(messages, 'The snapshot');
  } catch {
    return false;
  }
  return true;
}

function damaged(why: string): SnapshotError {
  return new SnapshotError('damaged', `The snapshot cannot be read: ${why}. Nothing was run.`);
}

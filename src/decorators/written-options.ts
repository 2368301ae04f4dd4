import type { RawOptions } from '../metadata/facts';
import { recordFault, type Place } from './place';

const NONE: RawOptions = Object.freeze({});

/** A frozen copy of what was written: the caller's object may be shared with other places. A text is the description. */
export function writtenOptions(decorator: string, written: unknown, place: Place): RawOptions {
  if (written === undefined) return NONE;
  if (typeof written === 'string') return Object.freeze({ description: written });
  if (typeof written === 'object' && written !== null && !Array.isArray(written)) return Object.freeze({ ...written });
  recordFault(place, `${decorator} was given neither a text nor an object of options.`, `Write ${decorator} with a description, or { … }.`);
  return NONE;
}

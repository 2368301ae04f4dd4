import { ownFacts, configure } from '../metadata/facts';
import { placeOf, recordFault, recordMisplaced } from './place';
import { writtenOptions } from './written-options';

/** The decorator of a class: it records its options as the one fact of its kind. */
export function recordClass(decorator: string, fact: 'agent' | 'toolset', options: unknown) {
  return (target: unknown, key?: unknown, third?: unknown): void => {
    const place = placeOf(decorator, target, key, third);
    if (place.kind !== 'class') return recordMisplaced(decorator, 'a class', place);
    if (ownFacts(place.cls)[fact] !== undefined) {
      return recordFault(place, `${decorator} is written twice on one class.`, 'Keep one of them.');
    }
    const written = writtenOptions(decorator, options, place);
    configure(place.cls, { [fact]: written });
  };
}

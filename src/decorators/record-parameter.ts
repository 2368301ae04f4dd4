import { append, type ParameterFact } from '../metadata/facts';
import { isOn, placeOf, recordFault, recordMisplaced } from './place';
import { writtenOptions } from './written-options';

/** The decorator of one parameter: it records the role that the parameter plays, and what was written of it. */
export function recordParameter(decorator: string, role: ParameterFact['role'], name: unknown, options: unknown) {
  return (target: unknown, key: unknown, third: unknown): void => {
    const place = placeOf(decorator, target, key, third);
    if (!isOn('parameter', place)) return recordMisplaced(decorator, 'a parameter of a tool method', place);
    if (name !== undefined && typeof name !== 'string') {
      recordFault(place, `${decorator} was given a name that is no text.`, "Write the name first: @Param('name', { … }).");
    }
    const fact: ParameterFact = {
      method: place.member,
      index: place.index,
      role,
      ...(typeof name === 'string' && { name }),
      options: writtenOptions(decorator, options, place),
    };
    append(place.cls, 'parameters', fact);
  };
}

import type { Blueprint, Source } from './blueprint';
import { constructorSource } from './constructor-source';
import { tokenName } from './supply';

/** A place in a class as errors show it. */
export interface NamedPlace {
  /** `Weather(forecasts: ?, clock: Clock)`, or `Weather.clock` for a property. */
  readonly place: string;
  /** ``parameter #0 `forecasts` `` */
  readonly position: string;
}

/** Names a constructor's parameter or a property for a person. The constructor is shown whole, with `?` where it fails. */
export function blueprintNames(blueprint: Blueprint, at: number | string | symbol): NamedPlace {
  const name = blueprint.type.name || '(anonymous class)';
  if (typeof at !== 'number') return { place: `${name}.${String(at)}`, position: `property \`${String(at)}\`` };
  const names = constructorSource(blueprint.owner)?.names ?? [];
  const shown = blueprint.parameters.map((source, index) => {
    const type = index === at ? '?' : sourceName(source);
    const parameter = names[index];
    return parameter === undefined ? type : `${parameter}${type === '' ? '' : `: ${type}`}`;
  });
  return { place: `${name}(${shown.join(', ')})`, position: `parameter #${at}${names[at] === undefined ? '' : ` \`${names[at]}\``}` };
}

function sourceName(source: Source): string {
  switch (source.kind) {
    case 'token':
      return source.many ? `${tokenName(source.token)}[]` : tokenName(source.token);
    case 'custom':
      return 'injected';
    case 'default':
      return '';
    case 'fault':
      return '?';
  }
}

import { didYouMean } from '../errors/nearest-name';
import { UsageError } from '../errors/usage-error';
import type { AnyOverride } from './container';
import { isConstructor, tokenName } from './supply';

const KEYS: ReadonlySet<string> = new Set(['provide', 'useValue', 'useClass', 'useFactory']);

/** Overrides by token, each copied. @throws UsageError naming the first that cannot be right */
export function checkedOverrides(overrides: readonly AnyOverride[]): ReadonlyMap<unknown, AnyOverride> {
  if (!Array.isArray(overrides))
    throw new UsageError('Overrides are a list: `withOverrides([{ provide: Forecasts, useValue: { ... } }])`.');
  const byToken = new Map<unknown, AnyOverride>();
  overrides.forEach((override: unknown, at) => {
    const checked = checkedOverride(override, `Override #${at}`);
    if (byToken.has(checked.provide))
      throw new UsageError(
        `Override #${at} is the second for ${tokenName(checked.provide)}; keep one, or fork again to replace the first.`,
      );
    byToken.set(checked.provide, checked);
  });
  return byToken;
}

function checkedOverride(given: unknown, place: string): AnyOverride {
  if (typeof given !== 'object' || given === null)
    throw new UsageError(`${place} is not an object. Write \`{ provide: Forecasts, useValue: { ... } }\`.`);
  const override = { ...given } as Partial<AnyOverride>;
  const { provide, useClass, useFactory } = override;
  if (provide === undefined || provide === null)
    throw new UsageError(`${place} has no \`provide\`: it is missing, or its class is undefined because two files import each other.`);
  const where = `${place} (${tokenName(provide)})`;
  for (const key of Object.keys(override))
    if (!KEYS.has(key)) throw new UsageError(`${where} has an unknown key \`${key}\`.${didYouMean(key, KEYS)}`);
  // `useValue: undefined` is a value; beside another way it is what a spread leaves behind.
  const others = [...(useClass === undefined ? [] : ['useClass']), ...(useFactory === undefined ? [] : ['useFactory'])];
  const isValue = Object.hasOwn(override, 'useValue') && (others.length === 0 || override.useValue !== undefined);
  const ways = isValue ? ['useValue', ...others] : others;
  if (ways.length !== 1)
    throw new UsageError(
      `${where} has ${ways.length === 0 ? 'none' : ways.join(' and ')} of useValue, useClass and useFactory. Give exactly one.`,
    );
  if (useClass !== undefined && !isConstructor(useClass))
    throw new UsageError(`${where}: \`useClass\` is no class. For an object write \`useValue\`, for a function \`useFactory\`.`);
  if (useFactory !== undefined && typeof useFactory !== 'function')
    throw new UsageError(`${where}: \`useFactory\` is no function. Write \`useFactory: () => value\`, or \`useValue\`.`);
  return override as AnyOverride;
}

import type { DefinitionFault } from '../../src/errors/definition-error';
import type { Contract, Decoded } from '../../src/schema/contract';
import type { ParameterDeclaration } from '../../src/schema/declaration';
import { parametersContract } from '../../src/schema/parameters-contract';
import { typeContract } from '../../src/schema/type-contract';
import type { ParamOptions } from '../../src/types/param-options';
import type { TypeSpec } from '../../src/types/type-spec';

export interface Given extends Omit<ParamOptions, 'minimum' | 'maximum'> {
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly reflected?: ParameterDeclaration['reflected'];
}

/** A contract of parameters, which must be declared without a fault. */
export function contractOf(parameters: Record<string, Given>): Contract<Record<string, unknown>> {
  const faults: DefinitionFault[] = [];
  const contract = parametersContract(declarations(parameters), (fault) => faults.push(fault));
  expect(faults).toEqual([]);
  return contract;
}

/** What is wrong with a declaration. */
export function faultsOf(parameters: Record<string, Given>): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  parametersContract(declarations(parameters), (fault) => faults.push(fault));
  return faults;
}

export function typeFaultsOf(spec: TypeSpec): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  typeContract(spec, (fault) => faults.push(fault));
  return faults;
}

export function typeOf<T = unknown>(spec: TypeSpec): ReturnType<typeof typeContract<T>> {
  expect(typeFaultsOf(spec)).toEqual([]);
  return typeContract<T>(spec, () => undefined);
}

function declarations(parameters: Record<string, Given>): ParameterDeclaration[] {
  return Object.entries(parameters).map(([name, { reflected = { kind: 'absent' as const }, ...options }], at) => ({
    name,
    where: `Weather.forecast, parameter #${at} \`${name}\``,
    reflected,
    options,
  }));
}

/** The decoded value; fails the test with the faults when there is none. */
export function valueOf<T>(decoded: Decoded<T> | Promise<Decoded<T>>): T {
  if (decoded instanceof Promise) throw new Error('The answer takes time');
  if (!decoded.ok) throw new Error(`Refused: ${JSON.stringify(decoded.faults)}`);
  return decoded.value;
}

/** Where and what was refused: `from.y: a number`. */
export function refusals(decoded: Decoded | Promise<Decoded>): string[] {
  if (decoded instanceof Promise) throw new Error('The answer takes time');
  return decoded.ok ? [] : decoded.faults.map((fault) => `${fault.path}: ${fault.expected}`);
}

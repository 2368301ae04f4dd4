import type { DefinitionFault } from '../errors/definition-error';
import type { Report } from '../errors/option-check';
import type { ParameterFact } from '../metadata/facts';
import { reflectedParameters, type Reflected } from '../metadata/reflection';
import type { Contract } from '../schema/contract';
import { typePlace, type ParameterDeclaration } from '../schema/declaration';
import { haveDistinctNames } from '../schema/distinct-names';
import { argumentsContract, parametersContract } from './contracts';
import type { TypeSpec } from '../types/type-spec';
import type { ArgumentSlot, ArgumentSlots } from './argument-slots';
import { className, methodOf } from './class-chain';
import type { Declaration } from './declarations';
import { sourceParameters, type SourceParameter } from './method-source';

/** What a tool method takes: the contract that the model sees, and where each decoded argument goes. */
export interface MethodContract {
  readonly contract: Contract;
  readonly slots: ArgumentSlots;
}

/** Takes the position of a parameter whose type only missing metadata could tell, and what was written of it: told once for the whole class. */
export type ReportMissing = (where: string, name: string, description?: unknown) => void;

const ABSENT: Reflected = { kind: 'absent' };

/** One method while its parameters are read. */
interface Reading {
  readonly method: string;
  readonly where: string;
  readonly facts: readonly ParameterFact[];
  /** Absent where the compiler emitted nothing. */
  readonly reflected: readonly Reflected[] | undefined;
  readonly count: number;
  readonly source: readonly SourceParameter[] | undefined;
}

/** A parameter with a decorator: where it stands, and all that is known of it. */
interface MarkedParameter {
  readonly where: string;
  readonly mark: ParameterFact;
  /** Absent where the compiler emitted nothing. */
  readonly reflected: Reflected | undefined;
  readonly source: SourceParameter | undefined;
}

/** Reads the parameters of a tool method from their decorators and from reflection; what is wrong is reported. */
export function methodContract(declaration: Declaration, report: Report, missing: ReportMissing): MethodContract {
  const reading = read(declaration);
  const slots = new Array<ArgumentSlot>(reading.count).fill(undefined);
  const parameters: ParameterDeclaration[] = [];
  let whole: Contract | undefined;
  for (let index = 0; index < reading.count; index++) {
    const mark = reading.facts.find((fact) => fact.index === index);
    const where = position(reading, index, mark?.name);
    if (reading.facts.some((fact) => fact.index === index && fact !== mark))
      report({ where, what: 'it carries more than one of @Param, @Args and @Ctx.', fix: 'keep one of them' });
    if (reading.source?.[index]?.rest === true) report(restFault(where));
    else if (mark === undefined) readUnmarked(reading, index, where, slots, report);
    else if (mark.role === 'context') slots[index] = 'context';
    else if (mark.role === 'args') {
      slots[index] = 'arguments';
      whole = wholeContract(marked(reading, mark, where), report, missing) ?? whole;
    } else {
      const parameter = readParameter(reading, marked(reading, mark, where), report, missing);
      if (parameter === undefined) continue;
      slots[index] = { argument: parameter.name };
      parameters.push(parameter);
    }
  }
  reportMixtures(declaration, reading.where, report);
  return { contract: whole ?? parametersContract(withoutTwins(parameters, report), report), slots };
}

function read({ method, parametersOf, parameters }: Declaration): Reading {
  const implementation = methodOf(parametersOf, method);
  const reflected = reflectedParameters(parametersOf, method);
  const count = reflected?.length ?? parameters.reduce((most, fact) => Math.max(most, fact.index + 1), implementation?.length ?? 0);
  // The text is read only where it can tell something: `length` stops at the first default or rest parameter.
  const worthReading = (implementation?.length ?? 0) < count || parameters.some((fact) => fact.role === 'param' && !fact.name);
  const source = worthReading ? sourceParameters(implementation, method) : undefined;
  // A text with another number of parameters belongs to something else.
  const matches = source !== undefined && (reflected === undefined ? source.length >= count : source.length === count);
  return {
    method,
    where: `${className(parametersOf)}.${method}`,
    facts: parameters,
    reflected,
    count,
    source: matches ? source : undefined,
  };
}

/** `Weather.forecast, parameter #1 \`days\``. */
function position(reading: Reading, index: number, name: string | undefined): string {
  const known = name ?? reading.source?.[index]?.name;
  return `${reading.where}, parameter #${index}${known === undefined ? '' : ` \`${known}\``}`;
}

/** A parameter without a decorator must be the context, by its reflected type. */
function readUnmarked(reading: Reading, index: number, where: string, slots: ArgumentSlot[], report: Report): void {
  if (reading.reflected?.[index]?.kind === 'context') {
    slots[index] = 'context';
    return;
  }
  const name = reading.source?.[index]?.name ?? 'name';
  const unseen = reading.reflected === undefined ? ' The compiler emitted no types, so a ToolContext must be marked with @Ctx().' : '';
  report({
    where,
    what: `it carries no decorator, so nobody would fill it.${unseen}`,
    fix: `@Param('${name}', 'What it is') for an argument of the model; @Ctx() for the ToolContext; take services in the constructor`,
  });
}

function marked({ reflected, source }: Reading, mark: ParameterFact, where: string): MarkedParameter {
  return { where, mark, reflected: reflected === undefined ? undefined : (reflected[mark.index] ?? ABSENT), source: source?.[mark.index] };
}

function readParameter(
  reading: Reading,
  { where, mark, reflected, source }: MarkedParameter,
  report: Report,
  missing: ReportMissing,
): ParameterDeclaration | undefined {
  const named = mark.name ?? source?.name;
  if (named === undefined || named.trim() === '') {
    report(namelessFault(position(reading, mark.index, undefined)));
    return undefined;
  }
  const { options } = mark;
  if (source?.hasDefault === true && options.optional !== true && !('default' in options))
    report({
      where,
      what: 'the method has a default for it, but the model is told that it must be sent.',
      fix: `@Param('${named}', { default: … }), or { optional: true } to leave the default to the method`,
    });
  if (reflected === undefined && options.type === undefined && options.enum === undefined) {
    missing(where, named, options.description);
    return undefined;
  }
  return { name: named, where, reflected: reflected ?? ABSENT, options };
}

/** The contract of `@Args()`: the DTO that was written, or the one that the compiler emitted. */
function wholeContract({ where, mark, reflected = ABSENT }: MarkedParameter, report: Report, missing: ReportMissing): Contract | undefined {
  const place = typePlace(where, (type) => `@Args(${type})`);
  const written = mark.options.type as TypeSpec | undefined;
  if (written !== undefined) return argumentsContract(written, report, place);
  if (reflected.kind === 'class') return argumentsContract(reflected.type as TypeSpec, report, place);
  if (reflected.kind === 'absent') missing(where, 'Dto');
  else report({ where, what: `@Args() cannot tell its class: ${reason(reflected)}.`, fix: '@Args(() => TheDto)' });
  return undefined;
}

function reason(reflected: Reflected): string {
  if (reflected.kind !== 'erased') return 'the parameter is no DTO';
  if (reflected.was === 'undefined') return 'its type is undefined at run time, probably because two files import each other';
  if (reflected.was === 'Function') return 'the class was imported as a type only';
  return `its type is erased to ${reflected.was}`;
}

function reportMixtures({ parameters: marks }: Declaration, where: string, report: Report): void {
  const whole = marks.filter((fact) => fact.role === 'args');
  if (whole.length === 0) return;
  if (whole.length > 1)
    report({ where, what: '@Args() stands on more than one parameter.', fix: 'one @Args() dto: its properties are the arguments' });
  if (marks.some((fact) => fact.role === 'param'))
    report({
      where,
      what: '@Args() describes all arguments, so no @Param() may stand beside it.',
      fix: 'move the parameters into the DTO as @Field() properties, or use @Param() for each',
    });
}

/** The parameters but for those whose name or alias an earlier one has, which are reported. */
function withoutTwins(parameters: readonly ParameterDeclaration[], report: Report): readonly ParameterDeclaration[] {
  if (haveDistinctNames(parameters) && parameters.every((parameter) => parameter.options.aliases === undefined)) return parameters;
  const owners = new Map<string, string>();
  return parameters.filter(({ name, options: { aliases }, where }) => {
    const names: readonly unknown[] = Array.isArray(aliases) ? [name, ...(aliases as unknown[])] : [name];
    const taken = names.find((candidate): candidate is string => typeof candidate === 'string' && owners.has(candidate));
    if (taken === undefined) {
      for (const candidate of names) if (typeof candidate === 'string') owners.set(candidate, where);
      return true;
    }
    const fix = 'Give each parameter its own name and aliases.';
    report({ where, what: `the name or alias \`${taken}\` is taken by ${owners.get(taken)}.`, fix });
    return false;
  });
}

function restFault(where: string): DefinitionFault {
  return {
    where,
    what: 'it is a rest parameter, but the model sends its arguments by name.',
    fix: `one list: @Param('values', { type: arrayOf(String) }) values: string[]`,
  };
}

function namelessFault(where: string): DefinitionFault {
  return {
    where,
    what: '@Param() was given no name, and none can be read from the source text (a pattern, a wrapped method, or minified code).',
    fix: `@Param('city', 'City name') city: string`,
  };
}

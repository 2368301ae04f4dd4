import { aFunction, aText, isRecord, type OptionRule, type OptionRules, type Report } from '../errors/option-check';
import type { RawOptions } from '../metadata/facts';
import type { Reflected } from '../metadata/reflection';
import type { Contract } from '../schema/contract';
import { typePlace } from '../schema/declaration';
import { argumentsContract, parametersContract } from './contracts';
import type { TypeSpec } from '../types/type-spec';
import { Faults } from './faults';
import type { ToolContext } from './tool-context';
import type { ToolDefinition } from './tool-definition';
import { inWords, nameFault } from './tool-name';
import { BEHAVIOUR_RULES, behaviourOf, checkCombination, checkToolOptions } from './tool-options-reader';
import type { ArgsOf, DefinedTool, DefineToolOptions, ToolShape } from './tool-shape';

const anything: OptionRule = {
  expected: 'parameters by name, a DTO class, a Standard Schema, or jsonSchema<T>({ … })',
  example: `{ city: 'City name' }`,
  accepts: (value) => typeof value === 'function' || isRecord(value),
};

const RULES: OptionRules = new Map<string, OptionRule>([
  ['name', aText],
  ['label', aText],
  ['description', aText],
  ['parameters', anything],
  ['execute', aFunction],
  ['preview', aFunction],
  ...BEHAVIOUR_RULES,
]);

/**
 * A tool as a value. Its options are checked now; its parameters when it is first listed, so they may refer to classes further down.
 *
 * @throws ToolDefinitionError with everything that is wrong with the options
 * @example
 * const sum = defineTool({
 *   name: 'sum',
 *   description: 'Adds two numbers.',
 *   parameters: { a: Number, b: Number },
 *   execute: ({ a, b }) => a + b,
 * });
 */
// Without parameters the shape is empty, which only `{}` says.
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export function defineTool<const S extends ToolShape | TypeSpec = {}, Deps = unknown>(
  options: DefineToolOptions<S, Deps>,
): DefinedTool<ArgsOf<S>, Deps> {
  return defineAnyTool(options as unknown as RawOptions);
}

function defineAnyTool(written: RawOptions): ToolDefinition {
  const faults = new Faults();
  const subject = `defineTool(${typeof written?.name === 'string' ? `'${written.name}'` : ''})`;
  if (!isRecord(written)) {
    faults.report({
      where: subject,
      what: 'it takes an object of options.',
      fix: `defineTool({ name: '…', description: '…', execute() { … } })`,
    });
    faults.throwIfAny(subject);
  }
  const sound = checkToolOptions(written, RULES, subject, faults.report);
  for (const key of ['name', 'description', 'execute'])
    if (written[key] === undefined)
      faults.report({
        where: subject,
        what: `\`${key}\` is missing.`,
        fix: key === 'execute' ? 'execute(args, context) { … }' : `${key}: '…'`,
      });
  checkCombination(sound, subject, faults.report);
  const { name = '', label, description = '', parameters, execute, preview, ...behaviour } = sound as Sound;
  const wrongName = name === '' ? undefined : nameFault(name, subject);
  if (wrongName !== undefined) faults.report(wrongName);
  faults.throwIfAny(subject);

  let contract: Contract | undefined;
  return Object.freeze({
    name,
    label: label ?? inWords(name),
    description,
    owner: subject,
    behaviour: behaviourOf(behaviour),
    get contract(): Contract {
      return (contract ??= contractOf(parameters, subject));
    },
    home: undefined,
    method: undefined,
    written: Object.freeze(behaviour),
    // As a method of the caller's object, so that `this` is what its author expects.
    call: (_host: object | undefined, args: unknown, context: ToolContext) => execute?.call(written, args, context),
    preview:
      preview === undefined
        ? undefined
        : (_host: object | undefined, args: unknown, context: ToolContext) => preview.call(written, args, context),
  });
}

interface Sound {
  readonly name?: string;
  readonly label?: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly execute?: (args: unknown, context: ToolContext) => unknown;
  readonly preview?: (args: unknown, context: ToolContext) => unknown;
}

function contractOf(parameters: unknown, subject: string): Contract {
  const faults = new Faults();
  const contract = isSpec(parameters)
    ? argumentsContract(
        parameters,
        faults.report,
        typePlace(`${subject}, parameters`, (type) => `parameters: ${type}`),
      )
    : shapeContract(parameters, subject, faults.report);
  faults.throwIfAny(subject);
  return contract;
}

/** What a parameter is that says nothing else. */
const TEXT: Reflected = Object.freeze({ kind: 'class', type: String });

/** Whether something is a type of its own, as opposed to a shape or to options. */
export const isSpec = (value: unknown): value is TypeSpec =>
  typeof value === 'function' || (isRecord(value) && ('~type' in value || '~standard' in value));

function shapeContract(shape: unknown, subject: string, report: Report): Contract {
  if (shape === undefined) return parametersContract([], report);
  const entries = shape as ToolShape;
  if ((entries.type as unknown) === 'object' && isRecord(entries.properties))
    report({
      where: `${subject}, parameters`,
      what: 'this is raw JSON Schema, which would be read as two parameters named `type` and `properties`.',
      fix: 'parameters: jsonSchema<{ … }>({ type: "object", properties: { … } })',
    });
  const declarations = Object.keys(entries).map((name) => {
    const entry: unknown = entries[name];
    const where = `${subject}, parameter \`${name}\``;
    return { name, where, reflected: TEXT, options: shapeEntry(entry, where, report) };
  });
  return parametersContract(declarations, report);
}

/** A text describes a text; everything else says its type, or is text. */
function shapeEntry(entry: unknown, where: string, report: Report): RawOptions {
  if (typeof entry === 'string') return { description: entry };
  if (isSpec(entry)) return { type: entry };
  if (isRecord(entry)) return entry;
  report({ where, what: 'it is neither a description, a type, nor an object of options.', fix: `{ description: '…', type: String }` });
  return {};
}

import { aText, type OptionRule, type OptionRules, type Report, type SoundOptions } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import { ownFacts } from '../metadata/facts';
import { placeArguments } from './argument-slots';
import { classChain, className } from './class-chain';
import { declarationsOf, type Declaration } from './declarations';
import { reportDuplicates } from './duplicate-names';
import { Faults } from './faults';
import { methodContract, type MethodContract } from './method-contract';
import { MissingMetadata } from './missing-metadata';
import type { ToolContext } from './tool-context';
import type { ToolDefinition, ToolHome } from './tool-definition';
import { inWords, nameFault, snakeCase } from './tool-name';
import { BEHAVIOUR_RULES, behaviourOf, checkCombination, checkToolOptions, TOOL_RULES, withDefaults } from './tool-options-reader';

const TOOLSET_RULES: OptionRules = new Map<string, OptionRule>([
  ['prefix', aText],
  [
    'instructions',
    { expected: 'a text or a function', example: `'…'`, accepts: (value) => typeof value === 'string' || typeof value === 'function' },
  ],
  ...BEHAVIOUR_RULES,
]);

/**
 * The tools of a class, in declaration order with its bases' first. Pure: the same class gives an equal list each time.
 * @throws ToolDefinitionError with everything that is wrong with the class
 */
export function resolveTools(cls: Function): readonly ToolDefinition[] {
  const faults = new Faults();
  const { prefix, instructions: _, ...defaults } = toolsetOptionsOf(cls, faults.report);
  const toolset: ToolsetWords = { prefix: typeof prefix === 'string' ? prefix : '', defaults };
  const missing = new MissingMetadata();
  const declarations = declarationsOf(cls, faults.report);
  const tools = declarations.map((declaration) =>
    toolOf(cls as ToolHome, declaration, methodContract(declaration, faults.report, missing.add), toolset, faults.report),
  );
  missing.report(cls, faults.report);
  reportDuplicates(tools, faults.report);
  faults.throwIfAny(className(cls));
  return Object.freeze(tools);
}

/** What `@Toolset` says along a class's chain: for each option, the nearest class wins. */
export function toolsetOptionsOf(cls: Function, report: Report): SoundOptions {
  let merged: SoundOptions = {};
  for (const owner of classChain(cls)) {
    const own = ownFacts(owner).toolset;
    if (own === undefined) continue;
    merged = { ...merged, ...checkToolOptions(own, TOOLSET_RULES, `@Toolset() of ${className(owner)}`, report) };
  }
  return merged;
}

/** What a toolset says for all its tools. */
interface ToolsetWords {
  readonly prefix: string;
  readonly defaults: SoundOptions;
}

/** For a tool that belongs to no toolset. */
export const NO_TOOLSET: ToolsetWords = { prefix: '', defaults: {} };

/** One method as a tool. What is wrong is reported; the result then only serves to find more. */
export function toolOf(
  cls: ToolHome,
  declaration: Declaration,
  { contract, slots }: MethodContract,
  { prefix, defaults }: ToolsetWords,
  report: Report,
): ToolDefinition {
  const { method, preview } = declaration;
  const owner = `${className(declaration.owner)}.${method}`;
  const options = withDefaults(checkToolOptions(declaration.options, TOOL_RULES, owner, report), defaults);
  checkCombination(options, owner, report);
  const ownName = typeof options.name === 'string' ? options.name : snakeCase(method);
  const name = prefix + ownName;
  const fault = nameFault(name, owner, options.name === undefined ? `the method's name` : undefined);
  if (fault !== undefined) report(fault);
  const words = inWords(ownName);
  const described = typeof options.description === 'string';
  return Object.freeze({
    name,
    label: typeof options.label === 'string' ? options.label : words,
    description: described ? (options.description as string) : words,
    owner,
    behaviour: behaviourOf(options),
    contract,
    home: cls,
    method,
    written: Object.freeze(options),
    ...(!described && { warnings: [bareWarning(owner, words)] }),
    call: (host: object | undefined, args: unknown, context: ToolContext) =>
      run(host, method, placeArguments(slots, args, context, owner), owner),
    preview:
      preview === undefined
        ? undefined
        : (host: object | undefined, args: unknown, context: ToolContext) =>
            run(host, preview, placeArguments(slots, args, context, owner), owner),
  });
}

/** By name at the time of the call, so that overrides, wrappers and doubles are what runs. */
function run(host: object | undefined, method: string, args: unknown[], owner: string): unknown {
  const implementation: unknown = host === undefined ? undefined : (host as Record<string, unknown>)[method];
  if (typeof implementation === 'function') return Reflect.apply(implementation, host, args);
  throw new UsageError(
    host === undefined
      ? `The tool ${owner} was called without the object that it belongs to.`
      : `The tool ${owner} was called on an object that has no method \`${method}\`.`,
  );
}

function bareWarning(owner: string, words: string): string {
  return `${owner} has no description: the model reads "${words}". Write @Tool('What it does, and when to use it').`;
}

import type { DefinitionFault } from '../errors/definition-error';
import { isRecord, shown, type Report } from '../errors/option-check';
import { ownFacts, type ParameterFact, type RawOptions } from '../metadata/facts';
import { typePlace } from '../schema/declaration';
import { jsonSchema } from '../types/type-spec';
import type { ArgumentSlots } from './argument-slots';
import { classChain, className, isClass, methodOf } from './class-chain';
import { argumentsContract, parametersContract } from './contracts';
import { declarationsOf, SOLE_METHOD, type Declaration } from './declarations';
import { isSpec } from './define-tool';
import { Faults } from './faults';
import { methodContract, type MethodContract } from './method-contract';
import { MissingMetadata } from './missing-metadata';
import { NO_TOOLSET, toolOf } from './resolve-tools';
import type { ToolDefinition, ToolHome } from './tool-definition';
import { snakeCase } from './tool-name';
import type { ToolClass } from './tool-ref';

/**
 * Whether a value is a class that is one tool: it has `execute`, and no other method is a tool.
 * @example isToolClass(SearchDatabase)
 */
export function isToolClass(value: unknown): value is ToolClass {
  return isClass(value) && methodOf(value, SOLE_METHOD) !== undefined && otherTools(value).length === 0;
}

const otherTools = (cls: Function): string[] =>
  classChain(cls).flatMap((owner) =>
    ownFacts(owner)
      .tools.map((fact) => fact.method)
      .filter((method) => method !== SOLE_METHOD),
  );

/**
 * The tool that a class is. Its options come from `@Tool` on `execute`, then from a static `metadata()`; its name is the class's in
 * snake_case where neither says one. Raw `parameters` of `metadata()` make it `execute(args, context)`.
 *
 * @throws ToolDefinitionError with everything that is wrong with the class
 */
export function resolveToolClass(cls: Function): ToolDefinition {
  const faults = new Faults();
  const subject = className(cls);
  if (!isToolClass(cls)) {
    faults.report(notOneTool(cls, subject));
    faults.throwIfAny(subject);
  }
  const { parameters, ...metadata } = metadataOf(cls, subject, faults.report);
  const written = executeDeclaration(cls, faults.report);
  const declaration = { ...written, options: { name: snakeCase(subject), ...metadata, ...written.options } };
  const missing = new MissingMetadata();
  const method =
    parameters === undefined
      ? methodContract(declaration, faults.report, missing.add)
      : rawContract(parameters, declaration, subject, faults.report);
  missing.report(cls, faults.report);
  const tool = toolOf(cls as unknown as ToolHome, declaration, method, NO_TOOLSET, faults.report);
  faults.throwIfAny(subject);
  return tool;
}

function notOneTool(cls: Function, subject: string): DefinitionFault {
  if (!isClass(cls) || methodOf(cls, SOLE_METHOD) === undefined)
    return {
      where: subject,
      what: 'it is listed as a tool, but has no method `execute`.',
      fix: `a method execute(…), or toolsets: [${subject}] for a class with @Tool() methods`,
    };
  return {
    where: subject,
    what: `it is listed as one tool, but it has more: ${otherTools(cls).join(', ')}.`,
    fix: `toolsets: [${subject}]`,
  };
}

/** What the static `metadata()` says; a class without it says nothing. */
function metadataOf(cls: Function, subject: string, report: Report): RawOptions {
  const { metadata } = cls as { metadata?: unknown };
  const where = `${subject}.metadata()`;
  if (typeof metadata !== 'function') {
    if (methodOf(cls, 'metadata') !== undefined)
      report({ where, what: 'it is a method of the instance, but it is asked before there is one.', fix: 'static metadata() { … }' });
    return {};
  }
  try {
    const said: unknown = Reflect.apply(metadata, cls, []);
    if (isRecord(said) && typeof said.then !== 'function') return said;
    report({ where, what: 'it must return an object of options, at once.', fix: `return { name: '…', description: '…' };` });
  } catch (error) {
    report({ where, what: `it threw ${error instanceof Error ? `"${error.message}"` : shown(error)}.`, fix: 'return plain data' });
  }
  return {};
}

/** `execute` as its decorators leave it; it is a tool also without `@Tool`. */
function executeDeclaration(cls: Function, report: Report): Declaration {
  const declared = declarationsOf(cls, report).find((declaration) => declaration.method === SOLE_METHOD);
  if (declared !== undefined) return declared;
  const decorated = classChain(cls).filter((owner) => parametersOf(owner).length > 0);
  const owner = decorated.at(-1) ?? cls;
  return { method: SOLE_METHOD, owner, options: {}, parametersOf: owner, parameters: parametersOf(owner), preview: undefined };
}

const parametersOf = (owner: Function): readonly ParameterFact[] =>
  ownFacts(owner).parameters.filter((fact) => fact.method === SOLE_METHOD);

/** `execute(args, context)`: all arguments as one value, checked by the parameters that `metadata()` gives. */
function rawContract(parameters: unknown, declaration: Declaration, subject: string, report: Report): MethodContract {
  const where = `${subject}.metadata(), parameters`;
  if (declaration.parameters.length > 0)
    report({
      where,
      what: 'the parameters of `execute` are decorated too, and only one of the two can count.',
      fix: 'leave `parameters` out, or take the decorators away',
    });
  const slots: ArgumentSlots = ['arguments', 'context'];
  if (!isSpec(parameters) && !isRecord(parameters)) {
    report({
      where,
      what: `they must be JSON Schema, a DTO class or a Standard Schema, not ${shown(parameters)}.`,
      fix: `parameters: { type: 'object', properties: { … } }`,
    });
    return { contract: parametersContract([], report), slots };
  }
  const place = typePlace(where, (type) => `parameters: ${type}`);
  return { contract: argumentsContract(isSpec(parameters) ? parameters : jsonSchema<unknown>(parameters), report, place), slots };
}

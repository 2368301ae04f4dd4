import { errorText } from '../errors/error-facts';
import type { Report } from '../errors/option-check';
import { CONTEXT_BRAND } from '../metadata/reflection';
import type { JsonSchema } from '../types/json';
import type { StandardSchema } from '../types/standard-schema';
import { enumValues, type EnumObject, type Scalar, type TypeShape } from '../types/type-spec';
import { constrained } from './constraints';
import { isJsonObject } from './decode-any';
import type { Place } from './declaration';
import { schemaProblem } from './foreign-schema';
import { AJV_INSTALL, isAjvInstalled } from './raw-schema';
import { MAX_SCHEMA_DEPTH } from './schema-references';
import { standardJsonSchema } from './standard-json';
import { ANY, type TypeNode } from './type-node';

/** Gives the node of a class; handed in, since a class's fields have types of their own. */
export type ClassReader = (cls: new () => object, depth: number) => TypeNode;

/** The normal form of a type as it was written; what cannot be a type is reported and stands for any value. */
export function nodeOf(spec: unknown, place: Place, report: Report, ofClass: ClassReader, depth = 0): TypeNode {
  const refuse = (what: string, fix: string): TypeNode => {
    report({ where: place.where, what, fix });
    return ANY;
  };
  if (depth > MAX_SCHEMA_DEPTH)
    return refuse(
      `its type is nested deeper than ${MAX_SCHEMA_DEPTH} levels`,
      'Make the type flatter, or refer to a class for the inner part.',
    );
  if (spec === undefined || spec === null)
    return refuse(
      `its type is ${spec}, probably because two files import each other`,
      `Write the type as a function, which is called later: ${place.write('type: () => TheType')}.`,
    );
  if ((typeof spec === 'object' || typeof spec === 'function') && '~type' in spec)
    return shapeNode((spec as { '~type': TypeShape })['~type'], place, report, ofClass, depth);
  if (isStandardSchema(spec)) return standardNode(spec, place, report);
  if (typeof spec === 'function') return functionNode(spec, place, report, ofClass, depth);
  if (Array.isArray(spec))
    return refuse(
      'its type is a list',
      `For a list of values write ${place.write(
        `enum: [${spec
          .slice(0, 3)
          .map((value) => JSON.stringify(value))
          .join(', ')}]`,
      )}; for a list type ${place.write('type: arrayOf(…)')}.`,
    );
  if (isJsonObject(spec) && (typeof spec.type === 'string' || 'properties' in spec || 'anyOf' in spec))
    return refuse('its type is a plain object that looks like JSON Schema', `Write ${place.write('type: jsonSchema({ … })')}.`);
  if (typeof spec === 'object') return refuse('its type is a plain object', `For an enum write ${place.write('enum: TheEnum')}.`);
  return refuse(
    `its type is ${typeof spec === 'string' ? JSON.stringify(spec).slice(0, 60) : typeof spec}`,
    `Write a type: ${place.write('type: String')}.`,
  );
}

function functionNode(spec: Function, place: Place, report: Report, ofClass: ClassReader, depth: number): TypeNode {
  const refuse = (what: string, fix: string): TypeNode => {
    report({ where: place.where, what, fix });
    return ANY;
  };
  switch (spec as unknown) {
    case String:
      return { kind: 'string' };
    case Number:
      return { kind: 'number', integer: false };
    case Boolean:
      return { kind: 'boolean' };
    case BigInt:
      return { kind: 'bigint' };
    case Date:
      return { kind: 'date' };
    case URL:
      return { kind: 'url' };
    case Object:
      return { kind: 'record', value: ANY };
    case Array:
      return refuse(
        'its type is Array, which does not say of what',
        `Write ${place.write('type: arrayOf(String)')}, with the type of its items.`,
      );
    case Set:
      return refuse('its type is Set, which JSON cannot say', `Write ${place.write('type: arrayOf(String, { uniqueItems: true })')}.`);
    case Map:
      return refuse(
        'its type is Map, which JSON cannot say',
        `Write ${place.write('type: recordOf(String)')}, with the type of its values.`,
      );
    case Promise:
    case Symbol:
    case Function:
      return refuse(
        `its type is ${spec.name}, which cannot come from JSON`,
        'Declare what the model is to send, or inject the value with `@Ctx()` or through the constructor.',
      );
  }
  if ((spec as { [CONTEXT_BRAND]?: unknown })[CONTEXT_BRAND] === true)
    return refuse('its type is the ToolContext, which is never sent by the model', 'Write `@Ctx()` on the parameter instead.');
  if (Object.hasOwn(spec, 'prototype') && isRecordLike(spec.prototype)) return ofClass(spec as new () => object, depth);
  let inner: unknown;
  try {
    inner = (spec as () => unknown)();
  } catch (error) {
    return refuse(
      `its type is a function that throws: ${errorText(error).slice(0, 200)}`,
      `Write a function that gives the type: ${place.write('type: () => TheType')}.`,
    );
  }
  return nodeOf(inner, place, report, ofClass, depth + 1);
}

const isRecordLike = (value: unknown): boolean => typeof value === 'object' && value !== null;

function shapeNode(shape: TypeShape, place: Place, report: Report, ofClass: ClassReader, depth: number): TypeNode {
  const inner = (spec: unknown): TypeNode => nodeOf(spec, place, report, ofClass, depth + 1);
  switch (shape.kind) {
    case 'integer':
      return { kind: 'number', integer: true };
    case 'literal':
      return literalNode(shape.values, place, report);
    case 'array':
      return constrained({ kind: 'array', item: inner(shape.item) }, { ...shape.options }, place, report);
    case 'tuple':
      if (shape.items.length === 0)
        report({ where: place.where, what: 'tupleOf() has no types', fix: `Name them: ${place.write('type: tupleOf(String, Number)')}.` });
      return { kind: 'tuple', items: shape.items.map(inner) };
    case 'record':
      return { kind: 'record', value: inner(shape.value) };
    case 'oneOf': {
      if (shape.options.length === 0)
        report({ where: place.where, what: 'oneOf() has no types', fix: `Name them: ${place.write('type: oneOf(String, Number)')}.` });
      const options = shape.options.map(inner);
      return options.length === 1 ? options[0]! : options.length === 0 ? ANY : { kind: 'union', options };
    }
    case 'nullable': {
      const node = inner(shape.type);
      return node.kind === 'nullable' ? node : { kind: 'nullable', inner: node };
    }
    case 'json':
      return rawNode(shape.schema, place, report);
    default:
      report({
        where: place.where,
        what: 'its type is of a kind that this version does not know',
        fix: `Write a type: ${place.write('type: String')}.`,
      });
      return ANY;
  }
}

/** The node of an enum: a list of values, or an enum object. */
export function enumNode(declared: unknown, place: Place, report: Report): TypeNode {
  const isList = Array.isArray(declared);
  if (!isList && !isJsonObject(declared)) {
    report({
      where: place.where,
      what: `its enum is ${declared === undefined ? 'undefined, probably because two files import each other' : typeof declared}`,
      fix: `Write the values: ${place.write("enum: ['a', 'b']")}.`,
    });
    return ANY;
  }
  return literalNode(enumValues(declared as readonly Scalar[] | EnumObject), place, report);
}

function literalNode(values: readonly unknown[], place: Place, report: Report): TypeNode {
  const scalars = values.filter(
    (value): value is Scalar =>
      value === null || ['string', 'boolean', 'bigint'].includes(typeof value) || (typeof value === 'number' && Number.isFinite(value)),
  );
  if (scalars.length === 0 || scalars.length < values.length)
    report({
      where: place.where,
      what: values.length === 0 ? 'its list of values is empty' : 'its values are not all strings, numbers, booleans or null',
      fix: `Write the values: ${place.write("enum: ['a', 'b']")}.`,
    });
  return scalars.length === 0 ? ANY : { kind: 'literal', values: [...new Set(scalars)] };
}

/** Recognised by shape, never by `instanceof`: an application may hold a second copy of its schema library. */
function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as { '~standard'?: unknown })['~standard'];
  return typeof standard === 'object' && standard !== null && typeof (standard as { validate?: unknown }).validate === 'function';
}

function standardNode(schema: StandardSchema, place: Place, report: Report): TypeNode {
  const { json, problem } = standardJsonSchema(schema);
  if (problem !== undefined)
    report({
      where: place.where,
      what: `its ${schema['~standard'].vendor} schema does not say itself as JSON Schema: ${problem}`,
      fix: `Use a version that has \`~standard.jsonSchema\` (Zod 4.2, ArkType 2.1.28), or write the JSON Schema: ${place.write('type: jsonSchema({ … })')}.`,
    });
  return { kind: 'standard', schema, json };
}

function rawNode(schema: JsonSchema, place: Place, report: Report): TypeNode {
  const problem = isJsonObject(schema) ? schemaProblem(schema) : 'it is not an object';
  if (problem !== undefined) {
    report({
      where: place.where,
      what: `its raw JSON Schema cannot be used: ${problem}`,
      fix: 'Correct the schema given to `jsonSchema(…)`.',
    });
    return ANY;
  }
  // The empty schema takes anything: there is nothing to check.
  if (Object.keys(schema).length === 0) return ANY;
  if (!isAjvInstalled()) report({ where: place.where, what: 'its type is raw JSON Schema', fix: AJV_INSTALL });
  return { kind: 'raw', schema };
}

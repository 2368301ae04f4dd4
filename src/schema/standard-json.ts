import { errorText } from '../errors/error-facts';
import type { JsonSchema } from '../types/json';
import type { StandardSchema } from '../types/standard-schema';
import { isJsonObject } from './decode-any';
import { normalised, schemaProblem } from './foreign-schema';

const TARGET = 'draft-2020-12';

/** What a Standard Schema accepts, as JSON Schema; an open schema and a problem when it cannot say so. */
export function standardJsonSchema(schema: StandardSchema): { readonly json: JsonSchema; readonly problem?: string } {
  let given: unknown;
  try {
    given = schema['~standard'].jsonSchema?.input({ target: TARGET }) ?? ownConversion(schema);
  } catch (error) {
    return { json: {}, problem: errorText(error).slice(0, 200) };
  }
  if (!isJsonObject(given)) return { json: {}, problem: 'it has no conversion' };
  const problem = schemaProblem(given);
  return problem === undefined ? { json: normalised(given) } : { json: {}, problem };
}

/** Zod 4.0 and 4.1 and ArkType carry their own conversion as a method. */
function ownConversion(schema: StandardSchema): unknown {
  const own = schema as unknown as { toJSONSchema?: (options: object) => unknown; toJsonSchema?: () => unknown };
  if (typeof own.toJSONSchema === 'function') return own.toJSONSchema({ io: 'input', target: TARGET });
  return typeof own.toJsonSchema === 'function' ? own.toJsonSchema() : undefined;
}

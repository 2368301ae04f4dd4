import type { StandardIssue, StandardResult } from '../types/standard-schema';
import { describeValue } from './describe-value';
import { adaptToSchema } from './json-adaptation';
import type { StandardNode } from './type-node';
import { pathText, type Decoder, type Walk } from './walk';

/** Checks with the schema's own `validate`, which may take time; its issues become faults with paths. */
export function standardDecoder(node: StandardNode): Decoder {
  return (value, walk) => {
    const adapted = value === undefined ? undefined : adaptToSchema(value, node.json, walk, true);
    if (walk.faults.length > 0) return undefined;
    const path = [...walk.path];
    // A transformation that throws over what the model sent has refused it.
    const refused = (): undefined => walk.fault({ path: pathText(path), expected: 'a valid value', got: describeValue(adapted) });
    let result: StandardResult<unknown> | Promise<StandardResult<unknown>>;
    try {
      result = node.schema['~standard'].validate(adapted);
    } catch {
      return refused();
    }
    if (!isPromise(result)) return read(result, adapted, path, walk);
    walk.open = result.then((settled) => read(settled, adapted, path, walk), refused);
    return undefined;
  };
}

const isPromise = (result: unknown): result is Promise<StandardResult<unknown>> =>
  typeof result === 'object' && result !== null && typeof (result as { then?: unknown }).then === 'function';

function read(result: StandardResult<unknown>, value: unknown, path: readonly (string | number)[], walk: Walk): unknown {
  if (result.issues === undefined) return result.value;
  for (const issue of result.issues) {
    // ArkType's path is a subclass of Array whose `map` makes an empty one longer.
    const keys = Array.from(issue.path ?? [], keyOf);
    walk.fault({
      path: pathText([...path, ...keys]),
      expected: 'a valid value',
      got: describeValue(at(value, keys)),
      hint: String(issue.message).slice(0, 200),
    });
  }
  if (result.issues.length === 0) walk.fault({ path: pathText(path), expected: 'a valid value', got: describeValue(value) });
  return undefined;
}

function keyOf(segment: NonNullable<StandardIssue['path']>[number]): string | number {
  const key = typeof segment === 'object' && segment !== null ? segment.key : segment;
  return typeof key === 'number' ? key : String(key);
}

function at(value: unknown, keys: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of keys) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}

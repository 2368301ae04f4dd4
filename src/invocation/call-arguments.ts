import { errorFacts } from '../errors/error-facts';
import { describeFaults } from '../schema/describe-faults';
import type { Decoded } from '../schema/contract';
import type { BoundTool } from '../tools/tool-definition';
import { readArgumentText } from './argument-text';
import { isThenable, type MaybePromise } from './maybe-promise';
import { toPlain } from './plain-value';

/** The arguments as the method takes them and as people see them, or what the model is told is wrong with them. */
export type ReadArguments =
  | { readonly ok: true; readonly args: unknown; readonly shown: unknown }
  | { readonly ok: false; readonly text: string; readonly shown: unknown };

/** Step 2: the model's text, read and decoded against the schema that the model saw. */
export function readArguments(text: string, tool: BoundTool): MaybePromise<ReadArguments> {
  const reading = readArgumentText(text);
  return reading.ok ? decodeArguments(reading.value, tool) : { ok: false, text: reading.problem, shown: text };
}

/** Arguments that are data already: those of a hook, an approver, or a further attempt. */
export function decodeArguments(value: unknown, tool: BoundTool): MaybePromise<ReadArguments> {
  try {
    const decoded = tool.definition.contract.decode(value);
    return isThenable(decoded)
      ? Promise.resolve(decoded).then(
          (settled) => fromDecoded(settled, value),
          (error: unknown) => failed(error, value),
        )
      : fromDecoded(decoded, value);
  } catch (error) {
    return failed(error, value);
  }
}

function fromDecoded(decoded: Decoded, value: unknown): ReadArguments {
  return decoded.ok
    ? { ok: true, args: decoded.value, shown: toPlain(decoded.value) }
    : { ok: false, text: describeFaults(decoded.faults), shown: toPlain(value) };
}

/** A validator of the user's that throws says no more than that it did not accept. */
function failed(error: unknown, value: unknown): ReadArguments {
  const { message } = errorFacts(error);
  return { ok: false, text: `The arguments could not be checked: ${message.slice(0, 300)}`, shown: toPlain(value) };
}

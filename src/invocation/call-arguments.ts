import { errorFacts } from '../errors/error-facts';
import { describeFaults, listFaults } from '../schema/describe-faults';
import type { Decoded } from '../schema/contract';
import type { BoundTool } from '../tools/tool-definition';
import { withoutSecrets } from '../trust/redaction';
import type { ErrorFacts } from '../types/run-result';
import { readArgumentText } from './argument-text';
import type { CallSubject } from './call';
import type { CallScope } from './call-scope';
import { isThenable, type MaybePromise } from './maybe-promise';
import { toPlain } from './plain-value';
import { waitForHost } from './wait-for-host';

/**
 * The arguments as the method takes them and as people see them, or what is wrong with them: `text` tells it to the model that wrote
 * them, `faults` says no more than that.
 */
export type ReadArguments =
  | { readonly ok: true; readonly args: unknown; readonly shown: unknown; readonly sent?: unknown }
  | { readonly ok: false; readonly text: string; readonly faults: string; readonly shown: unknown; readonly error?: ErrorFacts };

/** Step 2: the model's text, read and decoded against the schema that the model saw. */
export function readArguments(text: string, tool: BoundTool, scope: CallScope): MaybePromise<ReadArguments> {
  const reading = readArgumentText(text);
  return reading.ok
    ? decodeArguments(reading.value, tool, scope)
    : { ok: false, text: reading.problem, faults: reading.problem, shown: text };
}

/** Arguments that a hook or a person changed: what differs is decoded, what does not was decoded before. */
export function decodeChanged(edited: unknown, call: Decodable, tool: BoundTool, scope: CallScope): MaybePromise<ReadArguments> {
  const { contract } = tool.definition;
  const value = call.sent !== undefined && contract.asSent ? contract.asSent(toPlain(edited), call.shown, call.sent) : edited;
  return decodeArguments(value, tool, scope);
}

/** Arguments that are data already. Never throws, and never waits for ever. */
function decodeArguments(value: unknown, tool: BoundTool, scope: CallScope): MaybePromise<ReadArguments> {
  try {
    const decoded = tool.definition.contract.decode(value);
    return isThenable(decoded)
      ? Promise.resolve(waitForHost(decoded, 'The check of the arguments', scope)).then(
          (settled) => fromDecoded(settled, value, tool),
          (error: unknown) => failed(error, value, scope),
        )
      : fromDecoded(decoded, value, tool);
  } catch (error) {
    return failed(error, value, scope);
  }
}

/** Arguments that were decoded before, once more: a fresh value of the same, never what a transformation makes of its own result. */
export function decodeAgain({ shown, sent = shown }: Decodable, tool: BoundTool, scope: CallScope): MaybePromise<ReadArguments> {
  return decodeArguments(sent, tool, scope);
}

type Decodable = Pick<CallSubject, 'shown' | 'sent'>;

function fromDecoded(decoded: Decoded, value: unknown, { definition }: BoundTool): ReadArguments {
  if (!decoded.ok) {
    const faults = listFaults('What does not fit:', decoded.faults);
    return { ok: false, text: describeFaults(decoded.faults), faults, shown: toPlain(value) };
  }
  const read = { ok: true, args: decoded.value, shown: toPlain(decoded.value) } as const;
  return definition.contract.converts === true ? { ...read, sent: toPlain(value) } : read;
}

/** The part of a call that `decodeAgain` needs beside what is shown, where there is one. */
export function sentOf(sent: unknown): { readonly sent?: unknown } {
  return sent === undefined ? {} : { sent };
}

/** A validator or a constructor of the user's that throws says no more than that it did not accept: what it threw is for the host. */
function failed(error: unknown, value: unknown, scope: CallScope): ReadArguments {
  const about = errorFacts(error);
  const why = scope.exposeErrors ? `: ${withoutSecrets(about.message).slice(0, 300)}` : '.';
  const text = `The arguments could not be checked${why}`;
  return { ok: false, text, faults: text, shown: toPlain(value), error: about };
}

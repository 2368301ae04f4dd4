import { errorFacts } from '../../errors/error-facts';
import { LimitError, ModelError, RunError } from '../../errors/run-error';
import { isToolwrightError, ToolwrightError } from '../../errors/toolwright-error';
import { toPlain } from '../../invocation/plain-value';
import type { RecordedStep } from '../../types/run-record';

/** A value as JSON says it. */
export function asJson(value: unknown): unknown {
  const text = JSON.stringify(toPlain(value));
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

type RecordedError = NonNullable<RecordedStep['error']>;
const FACTS = ['advice', 'status', 'requestId', 'retryable', 'retryAfter', 'limit', 'details'] as const;

/** An error as plain data, with what its class holds beside the message. */
export function recordedError(error: unknown): RecordedError {
  const known = isToolwrightError(error) ? (error as unknown as Record<string, unknown>) : {};
  const facts = asJson(Object.fromEntries(FACTS.map((name) => [name, known[name]]))) as Record<string, unknown>;
  return { ...errorFacts(error), ...(Object.keys(facts).length > 0 && { facts }) };
}

/** The error that was recorded: of the same class where the run tells classes apart, with the same code and words. */
export function errorFrom({ name, code, message, facts = {} }: RecordedError): Error {
  const options = facts as object;
  if (code === 'MODEL') return new ModelError(message, options);
  if (code === 'LIMIT') return new LimitError(facts['limit'] as LimitError['limit'], message, options);
  if (code === 'HOOK' || code === 'RUN') return new RunError(code, message, options);
  const error = code === undefined ? new Error(message) : new ToolwrightError(code, message, options);
  error.name = name;
  return error;
}

/** The first place where two values of JSON differ. */
export function firstDifference(recorded: unknown, now: unknown, path = ''): { path: string; recorded: unknown; now: unknown } | undefined {
  if (Object.is(recorded, now)) return undefined;
  if (!isTree(recorded) || !isTree(now) || Array.isArray(recorded) !== Array.isArray(now)) return { path, recorded, now };
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
    const at = Array.isArray(recorded) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = firstDifference(own(recorded, key), own(now, key), at);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Tree = { readonly [key: string]: unknown };
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;
const own = (tree: Tree, key: string): unknown => (Object.hasOwn(tree, key) ? tree[key] : undefined);

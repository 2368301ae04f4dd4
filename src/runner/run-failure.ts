import { errorText } from '../errors/error-facts';
import { FatalRunError, LimitError, ModelError, OutputError, RunAbortedError, RunError } from '../errors/run-error';
import { isToolwrightError, type ToolwrightError } from '../errors/toolwright-error';
import type { RunFacts } from '../types/run-result';
import { NO_USAGE, type Usage } from '../types/usage';
import type { Ending } from './loop/run-state';

/** The caller aborted: the reason stays as the `cause`. */
export function abortedError(reason: unknown, partial: RunFacts): RunAbortedError {
  return new RunAbortedError(`The run was aborted: ${errorText(reason)}`, {
    cause: reason,
    partial,
    advice: 'Nothing, if this was wanted. `partial.messages` is valid: go on with `continueFrom: error.partial`.',
  });
}

/** How a model failed, in the run's words; a `ModelError` stays what it is. */
export function modelFailure(error: unknown, model: string): ToolwrightError {
  if (isToolwrightError(error)) return error;
  return new ModelError(`The model ${model} failed: ${errorText(error)}`, {
    cause: error,
    advice: 'A model throws a `ModelError` for what goes wrong; anything else is a fault of its adapter.',
  });
}

/** The error of a run that ended badly. */
export function endingError(ending: Ending & { readonly stop: 'failed' }, partial: RunFacts, cause: unknown): RunError {
  switch (ending.by) {
    case 'output':
      return new OutputError(`The final answer did not become valid output in three attempts. ${ending.text}`, {
        partial,
        advice: 'Simplify the `output` type, describe its fields, or take a model that keeps to JSON schemas.',
      });
    case 'fatal':
      return new FatalRunError(`A tool ended the run: ${ending.text}`, {
        cause,
        partial,
        advice: 'The tool threw a `FatalToolError`; its `cause` says why. A `ToolFailure` would only be told to the model.',
      });
    case 'limit':
      return new LimitError(ending.limit, ending.text, {
        partial,
        advice: `Raise \`limits.${ending.limit}\`, go on with \`continueFrom: error.partial\`, or leave out \`onExceeded: 'throw'\` for a last answer.`,
      });
    case 'empty':
      return new ModelError('The model ended for an unknown reason and gave no answer.', {
        partial,
        retryable: true,
        advice: 'Run again.',
      });
  }
}

/** The error with what the run had done. One that carries it already, from another run, is not changed: its copy is. */
export function withPartial<E extends ToolwrightError>(error: E, partial: RunFacts): E {
  if (!RunError.is(error)) return error;
  const own = { partial: { value: partial, configurable: true, writable: true } };
  if (error.partial?.runId === partial.runId) return error;
  if (error.partial === undefined && Object.isExtensible(error) && !Object.isFrozen(error)) return Object.defineProperties(error, own);
  return Object.create(Object.getPrototypeOf(error) as object, { ...Object.getOwnPropertyDescriptors(error), ...own }) as E;
}

/** What a failed run consumed. */
export function usageOf(error: unknown): Usage {
  return (RunError.is(error) ? error.partial?.usage : undefined) ?? NO_USAGE;
}

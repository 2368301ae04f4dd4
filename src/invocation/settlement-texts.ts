import type { ToolDefinition } from '../tools/tool-definition';

/** Whether a tool says that it only reads: then nothing it leaves half done can matter. */
const isReadOnly = (tool: ToolDefinition): boolean => tool.behaviour.annotations.readOnly === true;

/** @param entered whether the tool itself was reached: a lock function or the host's clock may fail before it */
export function unexpectedText(tool: ToolDefinition, entered: boolean, message: string | undefined): string {
  if (!entered) {
    const why = message === undefined ? '; its error is not shown' : `: ${message}`;
    return `Error: The call failed before the tool began${why}. It was not run. Try another way, or tell the user.`;
  }
  const what = message === undefined ? 'The tool failed unexpectedly; its error is not shown.' : `The tool failed unexpectedly: ${message}`;
  const next = isReadOnly(tool)
    ? 'Try another way, or tell the user.'
    : 'It may have done part of its work: check before repeating it, or tell the user.';
  return `Error: ${what} ${next}`;
}

export function expiredText(tool: ToolDefinition, ms: number): string {
  return isReadOnly(tool)
    ? `Timed out: the tool did not finish within ${ms} ms. It only reads, so nothing was changed. Ask for less, or try another way.`
    : `Outcome unknown: the tool did not finish within ${ms} ms and may still take effect. Do not simply call it again: check first whether it did.`;
}

export function abortedText(tool: ToolDefinition | undefined, entered: boolean): string {
  if (!entered) return 'Aborted: the run was stopped before this call began. It was not run.';
  return tool !== undefined && isReadOnly(tool)
    ? 'Aborted: the run was stopped before this call finished. It only reads, so nothing was changed.'
    : 'Aborted: the run was stopped before this call finished. It may have taken effect: check before repeating it.';
}

export function retryText(message: string, left: number): string {
  return `Error: ${message}\n${repairsLeft(left)}`;
}

export function repairsLeft(left: number): string {
  if (left <= 0) return 'No further attempt is allowed: this tool is refused from now on.';
  return `Correct the call and try again; ${left === 1 ? 'one attempt is' : `${left} attempts are`} left.`;
}

import { errorFacts } from '../errors/error-facts';
import type { ReadyCall, Settlement } from './call';
import { CallContext } from './call-context';
import type { CallScope } from './call-scope';
import { viewOf } from './call-view';
import { abortedText } from './settlement-texts';
import { waitForHost } from './wait-for-host';

/** Whether anybody wants to know of calls right before they are executed. */
export function isAnnounced({ hooks }: CallScope): boolean {
  return hooks.some((hook) => typeof hook.onToolStart === 'function');
}

/** Tells the hooks that a call begins, with its final arguments. What one of them throws refuses the call. */
export async function announceStart(
  ready: ReadyCall,
  scope: CallScope,
): Promise<Pick<Settlement, 'outcome' | 'reason' | 'value' | 'error'> | undefined> {
  const tool = ready.tool.definition;
  const context = new CallContext(scope, ready.call, tool.name, 1, false, scope.environment.now());
  try {
    for (const hook of scope.hooks)
      if (typeof hook.onToolStart === 'function') await waitForHost(hook.onToolStart(viewOf(ready), context), 'A hook', scope);
  } catch (error) {
    if (!scope.aborted)
      return {
        outcome: 'denied',
        reason: 'hook',
        value: 'Denied: what had to be done right before this call failed. It was not run. Do not repeat it.',
        error: errorFacts(error),
      };
  } finally {
    context.end();
  }
  return scope.aborted ? { outcome: 'aborted', value: abortedText(tool, false) } : undefined;
}

import { errorFacts } from '../errors/error-facts';
import type { ReadyCall, Settlement } from './call';
import { sentOf } from './call-arguments';
import type { CallScope } from './call-scope';
import { execute, type ExecuteOptions } from './execute';

/** Step 5, written down before it begins where a journal is kept. What could not be written down is not run, and ends the run. */
export function executeNoted(ready: ReadyCall, scope: CallScope, options?: ExecuteOptions): Promise<Settlement> {
  return scope.journal === undefined ? execute(ready, scope, options) : noted(ready, scope, options);
}

async function noted(ready: ReadyCall, scope: CallScope, options: ExecuteOptions | undefined): Promise<Settlement> {
  const { call, tool, shown, sent, note } = ready;
  try {
    await scope.journal?.begin({
      callId: call.id,
      name: tool.definition.name,
      arguments: shown,
      ...sentOf(sent),
      ...(note !== undefined && { note }),
    });
  } catch (error) {
    const now = scope.environment.now();
    const value = 'Aborted: the call could not be written down, so it was not run.';
    return { outcome: 'aborted', value, attempts: 0, startedAt: now, endedAt: now, error: errorFacts(error), fatal: error };
  }
  return execute(ready, scope, options);
}

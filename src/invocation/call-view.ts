import type { CallSubject } from './call';
import type { CallView } from './hooks';
import { toPlain } from './plain-value';

/** A call as hooks, policies and approvers see it; calls of no known tool are seen too. */
export function viewOf({ call, tool, shown }: CallSubject): CallView {
  const definition = tool?.definition;
  return {
    id: call.id,
    name: definition?.name ?? call.name,
    label: definition?.label ?? call.name,
    description: definition?.description ?? '',
    annotations: definition?.behaviour.annotations ?? {},
    tags: definition?.behaviour.tags ?? [],
    // A copy for each who looks: what one does to it, the next does not see.
    arguments: toPlain(shown),
    target:
      definition?.home === undefined || definition.method === undefined ? undefined : { cls: definition.home, method: definition.method },
  };
}

import type { CallResult } from './call';
import { copyPlain } from './plain-data';
import { toPlain } from './plain-value';

/** A result as data that JSON says without loss. A change of the state that is none would be left out when it is made, and is left out here. */
export function asData({ fatal: _, ...result }: CallResult): CallResult {
  return {
    ...(toPlain({ ...result, operations: [] }) as CallResult),
    operations: result.operations.filter((operation) => copyPlain(operation).ok),
  };
}

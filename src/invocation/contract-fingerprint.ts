import type { Contract } from '../schema/contract';
import type { ToolDefinition } from '../tools/tool-definition';
import { digestOf } from './digest';

const known = new WeakMap<Contract, string>();

/** What a model was shown of a tool's parameters, in a few letters. */
export function contractFingerprint({ contract }: ToolDefinition): string {
  let fingerprint = known.get(contract);
  if (fingerprint === undefined) known.set(contract, (fingerprint = digestOf(contract.schema)));
  return fingerprint;
}

import { findTool } from '../../invocation/call-name';
import { contractFingerprint } from '../../invocation/contract-fingerprint';
import { digestOf } from '../../invocation/digest';
import type { ModelTool } from '../../models/model';
import type { BoundTool } from '../../tools/tool-definition';
import type { PendingTurn } from '../loop/run-state';

const known = new WeakMap<readonly ModelTool[], string>();

/** A fingerprint of the tools as the model is shown them. */
export function toolsFingerprint(tools: readonly ModelTool[]): string {
  let fingerprint = known.get(tools);
  if (fingerprint === undefined) {
    fingerprint = digestOf(tools.map(({ name, description, parameters }) => [name, description, parameters]));
    known.set(tools, fingerprint);
  }
  return fingerprint;
}

/** What the tools that a turn calls look like; what was known before stays, since the model was shown that. */
export function contractsOf(turn: PendingTurn, tools: ReadonlyMap<string, BoundTool>): readonly (readonly [string, string])[] {
  const contracts = new Map(turn.progress?.contracts);
  for (const call of turn.calls) {
    const tool = findTool(call.name, tools)?.definition;
    if (tool !== undefined && !contracts.has(tool.name)) contracts.set(tool.name, contractFingerprint(tool));
  }
  return [...contracts];
}

import { nearestName } from '../errors/nearest-name';
import type { BoundTool } from '../tools/tool-definition';

/** What models put around a name: markup of their chat template, a namespace, quotes. */
const MARKUP = /<\|.*$/s;
const NAMESPACE = /^(?:functions?|tools?|default_api)[.:/]+/i;
const WRAPPING = /^[\s"'`]+|[\s"'`]+$/g;
const MAX_CHARS = 256;
const MAX_NEAREST = 3;

/** Step 1: the tool that the model means, repaired where that is obvious and only one tool fits; `undefined` when none does. */
export function findTool(name: string, tools: ReadonlyMap<string, BoundTool>): BoundTool | undefined {
  const exact = tools.get(name);
  if (exact !== undefined || name.length > MAX_CHARS) return exact;
  const bare = name.replace(MARKUP, '').replace(WRAPPING, '');
  const plain = bare.replace(NAMESPACE, '');
  return tools.get(bare) ?? tools.get(plain) ?? onlyMatch(bare, tools) ?? onlyMatch(plain, tools);
}

/** What the model is told of a name that is no tool's. */
export function unknownToolText(name: string, tools: ReadonlyMap<string, BoundTool>): string {
  const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
  if (tools.size === 0) return `Unknown tool: there is no tool ${shown}, and no other. Answer without tools.`;
  const left = new Set(tools.keys());
  const nearest: string[] = [];
  for (let found = nearestName(name, left); found !== undefined && nearest.length < MAX_NEAREST; found = nearestName(name, left)) {
    nearest.push(found);
    left.delete(found);
  }
  const names = nearest.length > 0 ? nearest : [...tools.keys()].slice(0, 20);
  const advice = nearest.length > 0 ? 'Did you mean' : tools.size > names.length ? 'Some of the tools are' : 'The tools are';
  return `Unknown tool: there is no tool ${shown}. ${advice}: ${names.join(', ')}.`;
}

const fold = (name: string): string => name.toLowerCase().replace(/[\s._-]+/g, '');

function onlyMatch(name: string, tools: ReadonlyMap<string, BoundTool>): BoundTool | undefined {
  const wanted = fold(name);
  let match: BoundTool | undefined;
  if (wanted === '') return undefined;
  for (const [candidate, tool] of tools) {
    if (fold(candidate) !== wanted) continue;
    if (match !== undefined) return undefined;
    match = tool;
  }
  return match;
}

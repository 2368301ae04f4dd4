import { ToolDefinitionError } from '../errors/definition-error';
import { WHY_UNDEFINED, shown } from '../errors/option-check';
import { classOf, className, isClass } from './class-chain';
import { isToolDefinition } from './is-tool-definition';
import { toolsetOptionsOf } from './resolve-tools';
import type { RunContext } from './tool-context';
import type { ToolDefinition } from './tool-definition';
import type { ToolsetInstructions, ToolsetTools } from './toolset';
import { viewFacts } from './toolset-view';
import type { ToolsetStep } from './toolsets/toolset-step';

/** A toolset as far as it is known before any run: what its first wrappers that need a run will be given. */
export interface StaticToolset {
  /** For messages: `toolset(Files)`. */
  readonly subject: string;
  readonly tools: ToolsetTools;
  /** The instance that was listed; absent where the container builds one, or where the tools are values. */
  readonly host: object | undefined;
  readonly instructions: ToolsetInstructions | undefined;
  /** The wrappers from the first that needs the run on. */
  readonly perRun: readonly ToolsetStep[];
}

/** What a toolset is made from: the tools of a class, and the tool that a class or a value is. */
export interface ToolSource {
  ownToolsOf(cls: Function): readonly ToolDefinition[];
  toolOf(ref: unknown): ToolDefinition;
}

/**
 * Reads a class, an instance, a list or a view.
 * @throws ToolDefinitionError for what is none of them, has no tools, or is wrapped wrongly
 */
export function staticToolset(listed: unknown, source: ToolSource): StaticToolset {
  const view = viewFacts(listed);
  const base = readSource(view === undefined ? listed : view.source, source);
  const steps = view?.steps ?? [];
  const firstPerRun = steps.findIndex((step) => step.kind === 'per run');
  const now = firstPerRun < 0 ? steps : steps.slice(0, firstPerRun);
  return {
    ...base,
    tools: now.reduce<ToolsetTools>((tools, step) => (step.kind === 'static' ? step.apply(tools, base.subject) : tools), base.tools),
    perRun: firstPerRun < 0 ? [] : steps.slice(firstPerRun),
  };
}

/** The tools of a toolset in one run. */
export async function toolsInRun(toolset: StaticToolset, context: RunContext): Promise<ToolsetTools> {
  let tools = toolset.tools;
  for (const step of toolset.perRun)
    tools = step.kind === 'static' ? step.apply(tools, toolset.subject) : await step.apply(tools, toolset.subject, context);
  return tools;
}

function readSource(of: unknown, source: ToolSource): Omit<StaticToolset, 'perRun'> {
  if (Array.isArray(of)) {
    if (of.length === 0) throw fault('toolset([])', 'it is empty.', 'list the tools: toolset([sum, product])');
    return { subject: 'toolset([…])', tools: of.map((ref) => source.toolOf(ref)), host: undefined, instructions: undefined };
  }
  if (isToolDefinition(of)) throw fault(`the tool \`${of.name}\``, 'it is one tool, not a toolset.', `tools: [${of.name}]`);
  if (isClass(of)) return fromClass(of, undefined, source);
  const cls = typeof of === 'object' && of !== null ? classOf(of) : undefined;
  if (cls === undefined)
    throw fault(
      'toolsets',
      `${shown(of)} is no toolset: it is neither a class with @Tool() methods, nor an instance of one, a list of tools, a view, or a factory.`,
      of === undefined ? WHY_UNDEFINED : 'toolsets: [Files, toolset(Search).prefixed("web_"), toolset([sum])]',
    );
  return fromClass(cls, of as object, source);
}

function fromClass(cls: Function, host: object | undefined, source: ToolSource): Omit<StaticToolset, 'perRun'> {
  const name = className(cls);
  const tools = source.ownToolsOf(cls);
  if (tools.length === 0)
    throw fault(
      name,
      'it is listed as a toolset, but has no @Tool() methods.',
      `@Tool('What it does') on its methods; a class that is one tool (with \`execute\`) is listed as tools: [${name}]`,
    );
  const { instructions } = toolsetOptionsOf(cls, () => undefined) as { instructions?: ToolsetInstructions };
  return { subject: `toolset(${name})`, tools, host, instructions };
}

function fault(where: string, what: string, fix: string): ToolDefinitionError {
  return new ToolDefinitionError(where, [{ where, what, fix }]);
}

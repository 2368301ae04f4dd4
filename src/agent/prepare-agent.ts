import { checkedOptions, shown } from '../errors/option-check';
import { didYouMean } from '../errors/nearest-name';
import { UsageError } from '../errors/usage-error';
import type { ClassToken, Container } from '../container/container';
import type { Approver } from '../invocation/approval';
import type { ModelSettings, ModelTool } from '../models/model';
import { isClass } from '../tools/class-chain';
import type { RunContext } from '../tools/tool-context';
import type { BoundTool, ToolDefinition } from '../tools/tool-definition';
import type { ToolRegistry } from '../tools/tool-registry';
import type { ToolsetInstructions, ToolsetRef } from '../tools/toolset';
import type { AnyAgent } from './agent';
import type { AgentDefinition } from './agent-definition';
import type { HooksRef, Instructions, Limits } from './agent-options';
import { LIMIT_RULES, SETTING_RULES } from './agent-option-rules';
import { buildInstances, type Instances } from './build-instances';
import { hasHooks } from './hook-methods';
import type { Hooks } from './hooks';
import type { PreparedAgent } from './prepared-agent';
import { toolsOfEveryRun, toolsOfOneRun, type PlannedTool, type PlannedTools } from './tools-in-run';

/** What a run may say of its agent: instead of the agent's own (`instructions`, `approve`), over it (`limits`, `modelSettings`), or after it. */
export interface PrepareOptions {
  // Functions of any deps: the runner's types have compared them with the agent's.
  readonly instructions?: Instructions<never>;
  readonly toolsets?: readonly ToolsetRef[];
  readonly hooks?: readonly HooksRef<never>[];
  readonly approve?: Approver<never>;
  readonly limits?: Limits;
  readonly modelSettings?: ModelSettings;
}

export interface AgentSetup {
  readonly container: Container;
  readonly registry: ToolRegistry;
  readonly context: RunContext;
  /** The agent itself, where `run` was given one; else the container builds it. */
  readonly instance?: AnyAgent | undefined;
  readonly options?: PrepareOptions | undefined;
}

/** What a run will have, before any instance is there. */
interface Plan {
  readonly tools: readonly PlannedTool[];
  readonly modelTools: readonly ModelTool[];
  readonly instructions: string | undefined;
  readonly warnings: readonly string[];
  /** What the container is asked for; the agent comes first. */
  readonly classes: readonly ClassToken[];
}

const plans = new WeakMap<AgentDefinition, Plan | 'depends on the run'>();

/** The last prepared agent of a container, reused while the container gives the same instances. */
interface Prepared {
  readonly instances: Instances;
  readonly agent: PreparedAgent;
}
const preparedBy = new WeakMap<Container, WeakMap<AgentDefinition, Prepared>>();

/**
 * Makes an agent ready for one run: asks the container for its instances, and every function that decides about tools and
 * instructions, once. Synchronous, and all but free, for an agent where nothing depends on the run.
 *
 * @throws WiringError when services cannot be built; ToolDefinitionError or UsageError when what the author's functions gave cannot be used
 */
export function prepareAgent(definition: AgentDefinition, setup: AgentSetup): PreparedAgent | Promise<PreparedAgent> {
  const everyRun = setup.options?.instructions === undefined && !setup.options?.toolsets?.length ? staticPlan(definition) : undefined;
  if (everyRun === undefined) return planOfOneRun(definition, setup).then((plan) => build(definition, plan, setup, false));
  return build(definition, everyRun, setup, true);
}

function build(definition: AgentDefinition, plan: Plan, setup: AgentSetup, reusable: boolean): PreparedAgent | Promise<PreparedAgent> {
  const { container, instance, options } = setup;
  const own = instance === undefined ? plan.classes : plan.classes.slice(1);
  const ofRun = options?.hooks?.filter(isClass) as readonly ClassToken[] | undefined;
  const built = buildInstances(ofRun === undefined ? own : [...own, ...ofRun], container, definition.name);
  const finish = (instances: Instances): PreparedAgent => {
    const known = instance === undefined ? instances : new Map(instances).set(definition.cls, instance);
    const agent = reusable ? reused(definition, plan, container, known) : assemble(definition, plan, known);
    return options === undefined ? agent : withOptions(agent, options, known);
  };
  return built instanceof Promise ? built.then(finish) : finish(built);
}

function staticPlan(definition: AgentDefinition): Plan | undefined {
  let plan = plans.get(definition);
  if (plan === undefined) {
    const planned = toolsOfEveryRun(definition);
    const texts = [definition.instructions, ...(planned?.instructions ?? [])];
    const isStatic = planned !== undefined && texts.every((text) => typeof text !== 'function');
    plan = isStatic ? planOf(definition, planned, joined(texts)) : 'depends on the run';
    plans.set(definition, plan);
  }
  return plan === 'depends on the run' ? undefined : plan;
}

async function planOfOneRun(definition: AgentDefinition, { options, context, registry }: AgentSetup): Promise<Plan> {
  const planned = await toolsOfOneRun(definition, options?.toolsets ?? [], context, registry);
  const own = options?.instructions ?? definition.instructions;
  const texts = [await textOf(own as ToolsetInstructions | undefined, definition.name, context)];
  for (const instructions of planned.instructions) texts.push(await textOf(instructions, `a toolset of ${definition.name}`, context));
  return planOf(definition, planned, joined(texts));
}

async function textOf(instructions: ToolsetInstructions | undefined, whose: string, context: RunContext): Promise<string | undefined> {
  if (typeof instructions !== 'function') return instructions;
  let text: unknown;
  try {
    text = await instructions(context);
  } catch (cause) {
    throw new UsageError(`The instructions of ${whose} threw, so no run can begin.`, { cause });
  }
  if (text !== undefined && typeof text !== 'string')
    throw new UsageError(`The instructions of ${whose} must be a text, not ${shown(text)}: return a string, or a promise of one.`);
  return text;
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined && text.trim() !== '');
  return said.length === 0 ? undefined : said.join('\n\n');
}

function planOf(definition: AgentDefinition, { tools, warnings }: PlannedTools, instructions: string | undefined): Plan {
  const definitions = tools.map((tool) => tool.definition);
  checkToolChoice(definition, definitions);
  const homes = new Set<ClassToken>();
  for (const { host, definition: tool } of tools) if (host === undefined && tool.home !== undefined) homes.add(tool.home);
  const services = [...definition.hooks, definition.approve].filter((ref) => isClass(ref)) as ClassToken[];
  const said = new Set(warnings);
  for (const tool of definitions) {
    for (const warning of tool.warnings ?? NONE) said.add(warning);
    const warning = strictWarning(tool);
    if (warning !== undefined) said.add(warning);
  }
  return Object.freeze({
    tools,
    modelTools: Object.freeze(definitions.map(modelTool)),
    instructions,
    warnings: Object.freeze([...said]),
    classes: [...new Set<ClassToken>([definition.cls, ...homes, ...services])],
  });
}

function checkToolChoice({ name, toolChoice }: AgentDefinition, tools: readonly ToolDefinition[]): void {
  if (typeof toolChoice === 'string' || tools.some((tool) => tool.name === toolChoice.tool)) return;
  const nearest = didYouMean(
    toolChoice.tool,
    tools.map((tool) => tool.name),
  );
  throw new UsageError(`The \`toolChoice\` of ${name} names the tool \`${toolChoice.tool}\`, which it does not have.${nearest}`);
}

function modelTool({ name, description, contract, behaviour }: ToolDefinition): ModelTool {
  const strict = behaviour.strict ? contract.strict : undefined;
  return Object.freeze({ name, description, parameters: contract.schema, ...(strict !== undefined && { strict }) });
}

const NONE: readonly string[] = [];

function strictWarning({ name, contract, behaviour }: ToolDefinition): string | undefined {
  if (!behaviour.strict || contract.strict !== undefined || contract.strictObstacle === undefined) return undefined;
  return `The tool \`${name}\` is sent without strict mode: ${contract.strictObstacle}. Write \`strict: false\` if that is meant.`;
}

function reused(definition: AgentDefinition, plan: Plan, container: Container, instances: Instances): PreparedAgent {
  let ofContainer = preparedBy.get(container);
  if (ofContainer === undefined) preparedBy.set(container, (ofContainer = new WeakMap()));
  const last = ofContainer.get(definition);
  if (last !== undefined && plan.classes.every((cls) => last.instances.get(cls) === instances.get(cls))) return last.agent;
  const agent = assemble(definition, plan, instances);
  ofContainer.set(definition, { instances, agent });
  return agent;
}

function assemble(definition: AgentDefinition, plan: Plan, instances: Instances): PreparedAgent {
  const instance = instances.get(definition.cls) as AnyAgent;
  const tools = new Map<string, BoundTool>();
  for (const { definition: tool, host } of plan.tools)
    tools.set(
      tool.name,
      Object.freeze({ definition: tool, host: host ?? (tool.home === undefined ? undefined : instances.get(tool.home)) }),
    );
  const hooks = definition.hooks.map((ref) => instanceOf(ref, instances));
  return Object.freeze({
    name: definition.name,
    description: definition.description,
    instance,
    model: definition.model,
    instructions: plan.instructions,
    tools,
    modelTools: plan.modelTools,
    output: definition.output,
    hooks: Object.freeze((hasHooks(instance) ? [...hooks, instance] : hooks) as Hooks[]),
    policy: definition.policy,
    guardrails: definition.guardrails,
    approver: approverOf(definition, instance, instances),
    limits: definition.limits,
    modelSettings: definition.modelSettings,
    parallelToolCalls: definition.parallelToolCalls,
    maxConcurrency: definition.maxConcurrency,
    toolChoice: definition.toolChoice,
    taint: definition.taint,
    exposeErrors: definition.exposeErrors,
    paging: definition.paging,
    warnings: plan.warnings,
  });
}

const instanceOf = <T extends object>(ref: T, instances: Instances): object => (isClass(ref) ? (instances.get(ref) as object) : ref);

/** The agent's own method where it stands nearer than the option, or was put on the instance. */
function approverOf({ approve, approvesItself }: AgentDefinition, instance: AnyAgent, instances: Instances): Approver | undefined {
  const itself = typeof instance.approve === 'function' && (approvesItself || Object.hasOwn(instance, 'approve') || approve === undefined);
  if (itself) return instance as unknown as Approver;
  return approve === undefined ? undefined : (instanceOf(approve as object, instances) as Approver);
}

function withOptions(agent: PreparedAgent, options: PrepareOptions, instances: Instances): PreparedAgent {
  const { hooks, approve, limits, modelSettings } = options;
  if (hooks === undefined && approve === undefined && limits === undefined && modelSettings === undefined) return agent;
  return Object.freeze({
    ...agent,
    hooks: hooks === undefined ? agent.hooks : [...agent.hooks, ...hooks.map((ref) => instanceOf(ref, instances) as Hooks)],
    approver: (approve as Approver | undefined) ?? agent.approver,
    limits: limits === undefined ? agent.limits : { ...agent.limits, ...checkedOptions(limits, LIMIT_RULES, "the run's `limits`") },
    modelSettings:
      modelSettings === undefined
        ? agent.modelSettings
        : { ...agent.modelSettings, ...checkedOptions(modelSettings, SETTING_RULES, "the run's `modelSettings`") },
  });
}

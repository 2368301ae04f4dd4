import { gathering, Faults } from '../tools/faults';
import { WHY_UNDEFINED, shown, type Report, type SoundOptions } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import { lineage, ownFacts } from '../metadata/facts';
import type { Contract } from '../schema/contract';
import { typePlace } from '../schema/declaration';
import { typeContract } from '../schema/type-contract';
import { classChain, className, classOf, isClass } from '../tools/class-chain';
import { listedTools, type ListedTools } from '../tools/listed-tools';
import { snakeCase } from '../tools/tool-name';
import type { ToolRegistry } from '../tools/tool-registry';
import type { Policy } from '../invocation/policy';
import type { ModelSettings } from '../models/model';
import { Agent, type AgentClass, type AnyAgent } from './agent';
import { checkAgentOptions } from './agent-option-rules';
import type { AgentOptions, ContributedOptions, HooksRef, Limits } from './agent-options';
import type { Guardrails } from './guardrails';
import { HOOK_METHODS } from './hook-methods';

/** What an agent's class says, its bases' options merged in, checked and frozen: everything that is known before a run. */
export interface AgentDefinition {
  readonly cls: AgentClass;
  readonly name: string;
  readonly description: string | undefined;
  readonly model: AgentOptions['model'];
  readonly instructions: AgentOptions['instructions'];
  readonly output: Contract | undefined;
  readonly approve: AgentOptions['approve'];
  /** Whether a method `approve` of the class stands nearer than the option. */
  readonly approvesItself: boolean;
  readonly parallelToolCalls: boolean;
  readonly maxConcurrency: number;
  readonly toolChoice: NonNullable<AgentOptions['toolChoice']>;
  readonly taint: 'ask' | 'deny' | 'off';
  readonly exposeErrors: boolean;
  readonly paging: boolean;
  /** Absent where it takes no contributed tools. */
  readonly contributed: ContributedOptions | undefined;
  readonly limits: Limits;
  readonly modelSettings: ModelSettings;
  readonly hooks: readonly HooksRef<never>[];
  readonly guardrails: Required<Guardrails>;
  readonly policy: readonly Policy[];
  readonly listed: ListedTools;
}

const definitions = new WeakMap<ToolRegistry, WeakMap<Function, AgentDefinition>>();

/**
 * The definition of an agent's class, resolved once per registry.
 *
 * @throws UsageError when the class is no agent
 * @throws ToolDefinitionError with everything that is wrong with its options, its tools and those that it lists
 */
export function definitionOf(cls: AgentClass, registry: ToolRegistry): AgentDefinition {
  let known = definitions.get(registry);
  if (known === undefined) definitions.set(registry, (known = new WeakMap()));
  let definition = known.get(cls);
  if (definition === undefined) known.set(cls, (definition = resolve(cls, registry)));
  return definition;
}

/**
 * The class behind what was given to `run`, and the instance where one was given.
 * @throws UsageError when it is neither an agent's class nor an instance of one
 */
export function agentOf(ref: unknown): { readonly cls: AgentClass; readonly instance: AnyAgent | undefined } {
  const instance = typeof ref === 'object' && ref !== null ? ref : undefined;
  const cls = instance === undefined ? ref : classOf(instance);
  if (!isAgentClass(cls)) {
    const name = typeof cls === 'function' ? className(cls) : shown(ref);
    const written = typeof cls === 'function' && cls.name !== '' ? cls.name : 'MyAgent';
    if (ref === undefined) throw new UsageError(`undefined is no agent. ${WHY_UNDEFINED}`);
    throw new UsageError(
      `${name} is no agent: it does not extend Agent. Write \`class ${written} extends Agent { … }\` and give the class to the runner.`,
    );
  }
  return { cls, instance: instance as AnyAgent | undefined };
}

/** By name as well as by identity: the class may extend the `Agent` of another copy of the package. */
function isAgentClass(value: unknown): value is AgentClass {
  return isClass(value) && classChain(value).some((at) => (at as unknown) === Agent || at.name === 'Agent');
}

function resolve(cls: AgentClass, registry: ToolRegistry): AgentDefinition {
  agentOf(cls);
  const faults = new Faults();
  const { report } = faults;
  const layers = classChain(cls).map((owner) => {
    const own = ownFacts(owner).agent;
    return own === undefined ? {} : checkAgentOptions(own, `@AgentConfig() of ${className(owner)}`, report);
  }) as Layer[];
  const nearest = Object.assign({}, ...layers) as Layer;
  const listed = listedTools(cls, registry, report);
  reportHookNames(listed, report);
  reportSubagents(listed, report);
  const output = nearest.output;
  const where = `@AgentConfig() of ${className(cls)}, output`;
  const definition: AgentDefinition = {
    cls,
    name: nearest.name ?? snakeCase(className(cls)),
    description: nearest.description,
    model: nearest.model,
    instructions: nearest.instructions,
    output:
      output === undefined
        ? undefined
        : gathering(report, () =>
            typeContract(
              output,
              report,
              typePlace(where, (type) => `output: ${type}`),
            ),
          ),
    approve: nearest.approve,
    approvesItself: approvesItself(cls, report),
    parallelToolCalls: nearest.parallelToolCalls ?? false,
    maxConcurrency: nearest.maxConcurrency ?? 10,
    toolChoice: nearest.toolChoice ?? 'auto',
    taint: nearest.taint ?? 'ask',
    exposeErrors: nearest.exposeErrors ?? false,
    paging: nearest.paging ?? false,
    contributed: nearest.contributed === true ? {} : nearest.contributed === false ? undefined : nearest.contributed,
    limits: Object.freeze(Object.assign({}, ...layers.map((layer) => layer.limits))) as Limits,
    modelSettings: Object.freeze(Object.assign({}, ...layers.map((layer) => layer.modelSettings))) as ModelSettings,
    hooks: Object.freeze([...new Set(layers.flatMap((layer) => layer.hooks ?? []))]),
    guardrails: Object.freeze({
      input: Object.freeze(layers.flatMap((layer) => layer.guardrails?.input ?? [])),
      output: Object.freeze(layers.flatMap((layer) => layer.guardrails?.output ?? [])),
    }),
    policy: Object.freeze(layers.flatMap((layer) => layer.policy ?? [])),
    listed,
  };
  faults.throwIfAny(className(cls));
  return Object.freeze(definition);
}

type Layer = SoundOptions &
  AgentOptions<never> & {
    readonly policy?: Policy | readonly Policy[];
    readonly hooks?: readonly HooksRef<never>[];
    readonly guardrails?: Guardrails;
  };

/** A tool under a hook's name would be called by the runner as well, with other arguments. */
function reportHookNames({ own }: ListedTools, report: Report): void {
  for (const tool of own) {
    if (tool.method === undefined || !HOOK_METHODS.has(tool.method)) continue;
    report({
      where: tool.owner,
      what: `a method named \`${tool.method}\` is ${tool.method === 'approve' ? 'the approver' : 'a hook'} of the agent, so it cannot be a tool too.`,
      fix: `another name for the method, and @Tool({ name: '${tool.name}' }) to keep the tool's`,
    });
  }
}

/** An agent that is called or handed over to must be one; its own faults come out when its class is resolved. */
function reportSubagents({ single }: ListedTools, report: Report): void {
  for (const { delegation, owner } of single) {
    if (delegation === undefined) continue;
    try {
      agentOf(delegation.agent);
    } catch (error) {
      report({ where: owner, what: (error as Error).message, fix: 'subagents: [Research], where Research extends Agent' });
    }
  }
}

/** Nearest wins, also between the option and a method; side by side in one class, nobody could tell which. */
function approvesItself(cls: Function, report: Report): boolean {
  for (const owner of lineage(cls).reverse()) {
    const prototype = owner.prototype as object | undefined;
    const method = owner !== (Agent as unknown) && prototype !== undefined && Object.hasOwn(prototype, 'approve');
    const option = ownFacts(owner).agent?.approve !== undefined;
    if (method && option)
      report({
        where: className(owner),
        what: 'it has a method `approve` and the option `approve`, and only one can decide.',
        fix: 'keep one of them',
      });
    if (method || option) return method;
  }
  return false;
}

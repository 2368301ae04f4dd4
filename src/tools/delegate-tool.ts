import { ToolDefinitionError } from '../errors/definition-error';
import { WHY_UNDEFINED, aFunction, aText, isRecord, shown, type OptionRule, type OptionRules } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import { ownFacts, type RawOptions } from '../metadata/facts';
import type { Part } from '../types/message';
import { classChain, className, classOf, isClass } from './class-chain';
import { defineTool } from './define-tool';
import { DELEGATE, type DelegateRequest, type DelegatingContext, type Delegation } from './delegation';
import { Faults } from './faults';
import type { ToolContext } from './tool-context';
import type { ToolDefinition } from './tool-definition';
import { snakeCase } from './tool-name';
import { BEHAVIOUR_RULES, checkToolOptions } from './tool-options-reader';

const anInput: OptionRule = {
  expected: 'parameters by name, a DTO class, a Standard Schema, or jsonSchema<T>({ … })',
  example: `{ topic: 'What to look into' }`,
  accepts: (value) => typeof value === 'function' || isRecord(value),
};
const anObject: OptionRule = { expected: 'an object', example: '{ maxTurns: 5 }', accepts: isRecord };

const COMMON: OptionRules = new Map<string, OptionRule>([
  ['name', aText],
  ['label', aText],
  ['description', aText],
  ['deps', aFunction],
  ...BEHAVIOUR_RULES,
]);
const SUBAGENT_RULES: OptionRules = new Map<string, OptionRule>([...COMMON, ['input', anInput], ['limits', anObject]]);

/** What `agentTool` and `handoff` take, once it is checked. */
interface Sound {
  readonly name?: string;
  readonly label?: string;
  readonly description?: string;
  readonly input?: unknown;
  readonly limits?: object;
  readonly deps?: (around: unknown) => unknown;
}

const TASK = {
  task: {
    type: String,
    minLength: 1,
    description: 'What to do, with everything that has to be known for it: this conversation is not seen there.',
  },
};
const REASON = { reason: { type: String, optional: true, description: 'Why it takes over, in a sentence.' } };

/**
 * The tool that stands for an agent.
 *
 * @throws ToolDefinitionError with everything that is wrong with the options, or when there is no agent
 */
export function delegateTool(kind: Delegation['kind'], agent: unknown, written: unknown): ToolDefinition {
  const maker = kind === 'subagent' ? 'agentTool' : 'handoff';
  const cls = isClass(agent) ? agent : typeof agent === 'object' && agent !== null ? classOf(agent) : undefined;
  const subject = `${maker}(${cls === undefined ? '' : className(cls)})`;
  const faults = new Faults();
  if (cls === undefined) faults.report(noAgent(subject, agent));
  if (!isRecord(written))
    faults.report({ where: subject, what: `its options are an object, not ${shown(written)}.`, fix: `${maker}(Research, { name: '…' })` });
  faults.throwIfAny(subject);
  const rules = kind === 'subagent' ? SUBAGENT_RULES : COMMON;
  const sound = checkToolOptions(written as RawOptions, rules, subject, faults.report) as Sound;
  faults.throwIfAny(subject);

  const { input, limits, deps, name, description, ...behaviour } = sound;
  const facts = factsOf(cls as Function);
  const delegation: Delegation = {
    kind,
    agent,
    name: facts.name,
    deps: deps ?? ((around) => (kind === 'handoff' ? around : undefined)),
  };
  const request = (args: unknown): DelegateRequest => ({
    ...delegation,
    input: kind === 'handoff' ? [] : [inputPart(args, input === undefined)],
    limits,
  });
  const defined = defineTool({
    // A call lasts as long as the agent does; the limits of its run bound it.
    timeout: null,
    ...behaviour,
    name: name ?? (kind === 'subagent' ? facts.name : `transfer_to_${facts.name}`),
    description: description ?? describe(kind, facts),
    parameters: (kind === 'handoff' ? REASON : (input ?? TASK)) as typeof TASK,
    execute: (args: unknown, context: ToolContext) => delegate(request(args), context),
  }) as unknown as ToolDefinition;
  return Object.freeze(
    Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(defined), owner: fixed(subject), delegation: fixed(delegation) }),
  ) as ToolDefinition;
}

const fixed = (value: unknown): PropertyDescriptor => ({ value, enumerable: true });

function noAgent(where: string, agent: unknown): { where: string; what: string; fix: string } {
  return {
    where,
    what: `${shown(agent)} is no agent: neither a class that extends Agent nor an instance of one.`,
    fix: agent === undefined ? WHY_UNDEFINED : 'class Research extends Agent { … }',
  };
}

function describe(kind: Delegation['kind'], { name, description }: { name: string; description: string | undefined }): string {
  const about = description === undefined ? '' : ` ${description}`;
  return kind === 'subagent'
    ? (description ?? `Gives a task to the agent ${name} and returns its answer.`)
    : `Hands the conversation over to the agent ${name}, which answers from now on.${about}`;
}

/** How an agent's class names and describes it, its bases' words where it has none of its own. */
function factsOf(cls: Function): { readonly name: string; readonly description: string | undefined } {
  const merged = Object.assign({}, ...classChain(cls).map((owner) => ownFacts(owner).agent ?? {})) as {
    name?: unknown;
    description?: unknown;
  };
  return {
    name: typeof merged.name === 'string' ? merged.name : snakeCase(className(cls)),
    description: typeof merged.description === 'string' ? merged.description : undefined,
  };
}

/** A task is said as it is; arguments of other types are shown to the agent as the data that they are. */
function inputPart(args: unknown, isTask: boolean): Part {
  return isTask ? { type: 'text', text: (args as { readonly task: string }).task } : { type: 'json', value: args };
}

function delegate(request: DelegateRequest, context: ToolContext): unknown {
  const run = (context as DelegatingContext)[DELEGATE];
  if (run === undefined)
    throw new UsageError(
      `The agent ${request.name} can only be called from a run. In a test, run the agent that lists it: \`createTestRunner({ model })\`.`,
    );
  return run(request);
}

const ofClass = new WeakMap<object, ToolDefinition>();

/** The tool of an entry of `subagents`: the same for the same agent. @throws ToolDefinitionError when it is none */
export function subagentTool(agent: unknown): ToolDefinition {
  if ((typeof agent !== 'function' && typeof agent !== 'object') || agent === null)
    throw new ToolDefinitionError('subagents', [noAgent('subagents', agent)]);
  let tool = ofClass.get(agent);
  if (tool === undefined) ofClass.set(agent, (tool = delegateTool('subagent', agent, {})));
  return tool;
}

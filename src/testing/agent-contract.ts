import { definitionOf } from '../agent/agent-definition';
import type { AgentClass } from '../agent/agent';
import { toolsOfEveryRun } from '../agent/tools-in-run';
import { UsageError } from '../errors/usage-error';
import type { ModelRequest } from '../models/model';
import { defaultRegistry } from '../tools/tool-registry';
import type { JsonSchema } from '../types/json';

/** What a model is shown of an agent: plain data, fit for a snapshot. */
export interface AgentContract {
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JsonSchema }[];
  readonly output?: JsonSchema;
}

/**
 * The contract of an agent's class, or of a request that a model was sent.
 * @throws UsageError for a class whose tools depend on the run: take a request of a scripted model then
 * @example expect(agentContract(WeatherAgent)).toMatchSnapshot();
 */
export function agentContract(subject: AgentClass | ModelRequest): AgentContract {
  if (typeof subject === 'object') {
    const { tools, output } = subject;
    return {
      tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      ...(output && { output: output.schema }),
    };
  }
  const definition = definitionOf(subject, defaultRegistry);
  const planned = toolsOfEveryRun(definition);
  if (planned === undefined)
    throw new UsageError(
      `The tools of ${subject.name} depend on the run. Take what a model was shown: \`expect(model.requests[0]).toMatchContract()\`.`,
    );
  const tools = planned.tools.map(({ definition: { name, description, contract } }) => ({
    name,
    description,
    parameters: contract.schema,
  }));
  return { tools, ...(definition.output && { output: definition.output.schema }) };
}

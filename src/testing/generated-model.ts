import { anInteger, checkedOptions, rulesOf, texts } from '../errors/option-check';
import type { Model, ModelRequest } from '../models/model';
import { functionModel } from './function-model';
import { generateArguments } from './generate-value';
import { answer, callTool, say, type ScriptAnswer } from './script-step';

/** Which tools a generated model calls, and with which of all possible arguments. */
export interface GeneratedModelOptions {
  /** The same seed gives the same arguments; 1 by default. */
  readonly seed?: number;
  /** Only these tools are called, in this order; every tool once, in its order, by default. */
  readonly tools?: readonly string[];
}

const RULES = rulesOf<GeneratedModelOptions>({ seed: anInteger, tools: texts });

/**
 * A model that calls every tool once with arguments that are valid for its schema, then answers: in one line, a test that
 * the tools of an agent work at all.
 * @throws UsageError for options that do not exist or do not fit
 * @example await createTestRunner({ model: generatedModel({ seed: 7 }) }).run(WeatherAgent, 'Anything.')
 */
export function generatedModel(options?: GeneratedModelOptions): Model {
  const { seed = 1, tools } = checkedOptions(options, RULES, 'generatedModel()');
  return functionModel((request) => next(request, seed, tools), { name: `generated:${seed}` });
}

function next(request: ModelRequest, seed: number, only: readonly string[] | undefined): ScriptAnswer {
  const asked = request.messages.findLastIndex((message) => message.role === 'user');
  const called = new Set(
    request.messages.slice(asked + 1).flatMap((message) => (message.role === 'assistant' ? message.calls.map((call) => call.name) : [])),
  );
  const names = only ?? request.tools.map((tool) => tool.name);
  const tool =
    request.toolChoice === 'none' ? undefined : request.tools.find((one) => one.name === names.find((name) => !called.has(name)));
  if (tool !== undefined) return callTool(tool.name, generateArguments(tool.parameters, seed + called.size) as object);
  return request.output === undefined ? say('Done.') : answer(generateArguments(request.output.schema, seed));
}

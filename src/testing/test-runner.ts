import type { Overrides } from '../container/override';
import { aFunction, aList, aModel, anApprover, anObject, anything, checkedOptions, rulesOf } from '../errors/option-check';
import type { Approver } from '../invocation/approval';
import type { ModelRef } from '../models/model';
import { AgentRunner, type RunnerOptions } from '../runner/agent-runner';
import type { ToolRegistry } from '../tools/tool-registry';
import { testEnvironment, type TestEnvironmentOptions } from './test-environment';
import type { ToolDouble } from './tool-double';

/** What `createTestRunner` takes: the model, what is replaced, and the time and ids of its runs. */
export interface TestRunnerOptions<P extends readonly unknown[] = readonly unknown[]> extends TestEnvironmentOptions {
  /** Instead of the agents' own models, sub-agents included; a run's `model` option still wins. */
  readonly model: ModelRef | readonly ModelRef[];
  /** Replaced services: values (partial ones too), classes, factories. */
  readonly overrides?: Overrides<P>;
  /** Doubles that take the place of the agents' tools of their names. */
  readonly tools?: readonly ToolDouble[];
  /** As for `new AgentRunner`. */
  readonly container?: object;
  /** As for `new AgentRunner`. */
  readonly registry?: ToolRegistry;
  /** For agents that bring none. */
  readonly approve?: Approver;
}

const RULES = rulesOf<TestRunnerOptions>({
  model: aModel,
  overrides: aList,
  tools: aList,
  // Looked at by itself: it may be any container.
  container: anything,
  registry: anObject,
  approve: anApprover,
  now: anything,
  ids: aFunction,
  random: anything,
});

/**
 * A runner for tests: the given model, services replaced before anything is built, and a clock, ids and chance that are
 * the same each time. Nothing needs resetting, and two such runners never see each other's fakes.
 * @throws UsageError for options that do not exist or do not fit: a misspelt one would leave the real service in place
 * @example
 * const runner = createTestRunner({
 *   model: scripted([callTool('current_weather', { city: 'Oslo' }), say('Yes.')]),
 *   overrides: [{ provide: Forecasts, useValue: { at: async () => ({ celsius: 2 }) } }],
 * });
 */
export function createTestRunner<const P extends readonly unknown[] = readonly []>(options: TestRunnerOptions<P>): AgentRunner {
  const { model, overrides, tools, container, registry, approve, ...environment } = checkedOptions(options, RULES, 'createTestRunner()');
  const given: RunnerOptions = {
    modelOverride: model,
    environment: testEnvironment(environment),
    ...(tools !== undefined && { toolOverrides: tools }),
    ...(container !== undefined && { container }),
    ...(registry !== undefined && { registry }),
    ...(approve !== undefined && { approve }),
  };
  const runner = new AgentRunner(given);
  return overrides === undefined ? runner : runner.withOverrides<P>(overrides);
}

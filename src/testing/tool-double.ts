import { aText, checkedOptions, isRecord, rule, rulesOf } from '../errors/option-check';
import { wait } from '../models/wait';
import { defineTool } from '../tools/define-tool';
import type { ToolContext } from '../tools/tool-context';
import type { ToolDefinition } from '../tools/tool-definition';
import { ToolResult } from '../tools/tool-result';
import type { ToolParameters } from '../tools/tool-shape';
import type { Contract } from '../schema/contract';
import { CheckError } from './check-error';
import { isSubset } from './subset';
import { jsonText } from './transcript-text';

/** One execution that a double saw. */
export interface DoubleCall {
  /** The decoded arguments. */
  readonly arguments: unknown;
  readonly context: ToolContext;
}

/** What a double does when it is executed. */
export type DoubleBehaviour = (args: never, context: ToolContext) => unknown;

/** What the model is shown of a double that an agent lists as a tool of its own. */
export interface DoubleOptions {
  readonly description?: string;
  /** As for `defineTool`; any arguments pass when none are given. Not used where the double replaces an agent's own tool. */
  readonly parameters?: ToolParameters;
}

const RULES = rulesOf<DoubleOptions>({
  description: aText,
  parameters: rule('what `defineTool` takes', '{ city: String }', (value) => typeof value === 'function' || isRecord(value)),
});

/**
 * A tool that stands in for another and remembers how it was called. List it as an agent's tool, or give it to
 * `createTestRunner({ tools })`: there it takes the place of the tool of its name and keeps that one's contract and rules.
 */
export interface ToolDouble extends ToolDefinition {
  readonly calls: readonly DoubleCall[];
  readonly callCount: number;
  /** Forgets the calls so far. */
  clear(): void;
  /** The double with everything else of the tool it replaces. */
  replacing(real: ToolDefinition): ToolDefinition;
  /** @throws CheckError unless a call had at least these arguments */
  assertCalled(args?: unknown): void;
  assertNotCalled(): void;
}

/**
 * A tool that answers with a value, or with what a function of the arguments and the context gives.
 * @example mockTool('current_weather', { celsius: 2 })
 */
export function mockTool(name: string, result: unknown, options?: DoubleOptions): ToolDouble {
  return double(name, options, typeof result === 'function' ? (result as DoubleBehaviour) : () => result);
}

/**
 * Watches a tool and lets it do its work: a tool as a value, or by its name one of the agent's own.
 * @example createTestRunner({ model, tools: [spyTool('current_weather')] })
 */
export function spyTool(tool: string | ToolDefinition): ToolDouble {
  if (typeof tool === 'string') return double(tool, undefined, undefined);
  return double(tool.name, undefined, undefined, tool);
}

/**
 * A tool that throws: an error, or an unexpected `Error` of this text.
 * @example failingTool('send_mail', new Error('SMTP is down'))
 */
export function failingTool(name: string, error: unknown = 'The tool broke.', options?: DoubleOptions): ToolDouble {
  return double(name, options, () => {
    throw typeof error === 'string' ? new Error(error) : error;
  });
}

/**
 * A tool that gives an error as its result, as `ToolResult.error` does.
 * @example errorTool('send_mail', { code: 'no_such_address' })
 */
export function errorTool(
  name: string,
  error: Parameters<typeof ToolResult.error>[0] = 'It did not work.',
  options?: DoubleOptions,
): ToolDouble {
  return double(name, options, () => ToolResult.error(error));
}

/**
 * A tool that takes `ms` milliseconds, or until its call is aborted, before it answers; works with fake timers.
 * @example slowTool('current_weather', 60_000, { celsius: 2 })
 */
export function slowTool(name: string, ms: number, result: unknown = 'Done.', options?: DoubleOptions): ToolDouble {
  return double(name, options, (_args: never, context: ToolContext) => wait(ms, context.signal).then(() => result));
}

type Execute = ToolDefinition['call'];

const ANYTHING: Contract = Object.freeze({
  schema: Object.freeze({ type: 'object' }),
  strict: undefined,
  strictObstacle: undefined,
  decode: (value: unknown) => ({ ok: true as const, value }),
});

function double(
  name: string,
  options: DoubleOptions | undefined,
  behaviour: DoubleBehaviour | undefined,
  spied?: ToolDefinition,
): ToolDouble {
  const calls: DoubleCall[] = [];
  const recording =
    (execute: Execute): Execute =>
    (host, args, context) => {
      calls.push({ arguments: args, context });
      return execute(host, args, context);
    };
  const own: Execute =
    behaviour === undefined
      ? () => {
          throw new CheckError(`spyTool('${name}') watches a tool of an agent: give it to createTestRunner({ tools: [...] }).`);
        }
      : (_host, args, context) => behaviour(args as never, context);
  const base = spied ?? stub(name, options);
  const replacing = (real: ToolDefinition): ToolDefinition => {
    if (behaviour === undefined) return Object.freeze({ ...real, call: recording(real.call.bind(real)) });
    // What stands for an agent, or for a tool that is run elsewhere, is a plain tool now.
    const { delegation: _, ...plain } = real;
    return Object.freeze({ ...plain, behaviour: Object.freeze({ ...real.behaviour, external: false }), call: recording(own) });
  };
  return Object.defineProperties(
    { ...base, call: recording(spied === undefined ? own : spied.call.bind(spied)) },
    {
      calls: { get: () => calls.slice() },
      callCount: { get: () => calls.length },
      clear: { value: () => void calls.splice(0) },
      replacing: { value: replacing },
      assertCalled: {
        value: (args?: unknown) => {
          if (calls.some((call) => args === undefined || isSubset(args, call.arguments))) return;
          throw new CheckError(`${name} was not called${args === undefined ? '' : ` with ${jsonText(args)}`}. ${seen(calls)}`);
        },
      },
      assertNotCalled: {
        value: () => {
          if (calls.length > 0) throw new CheckError(`${name} was to stay uncalled. ${seen(calls)}`);
        },
      },
    },
  ) as ToolDouble;
}

function stub(name: string, options: DoubleOptions | undefined): ToolDefinition {
  const { description, parameters } = checkedOptions(options, RULES, `the double of ${name}`);
  const shape = parameters === undefined ? {} : { parameters: parameters as Record<string, never> };
  const defined = defineTool({ name, description: description ?? `A stand-in for ${name}.`, ...shape, execute: () => undefined });
  return parameters === undefined ? { ...defined, contract: ANYTHING } : defined;
}

function seen(calls: readonly DoubleCall[]): string {
  if (calls.length === 0) return 'It was never called.';
  return `It was called:\n${calls.map((call) => `  - ${jsonText(call.arguments)}`).join('\n')}`;
}

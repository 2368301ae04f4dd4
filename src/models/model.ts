import type { JsonSchema } from '../types/json';
import type { Message } from '../types/message';

/** What a model can do; what it cannot is worked around or refused, never sent in hope. */
export interface ModelCapabilities {
  /** Native tool calls. */
  readonly tools: boolean;
  readonly parallelToolCalls: boolean;
  /** A native JSON Schema for the final answer. */
  readonly jsonSchema: boolean;
  /** Strict tool schemas. */
  readonly strict: boolean;
  readonly images: boolean;
  readonly reasoning: boolean;
}

/** One tool as the model is shown it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** The plain dialect. */
  readonly parameters: JsonSchema;
  /** The strict dialect; absent where the parameters cannot be said in it, or strictness was switched off. */
  readonly strict?: JsonSchema;
}

/** Whether the model may, must, or must not call a tool, or which one it must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** The shape asked of the final answer, for models with `capabilities.jsonSchema`. */
export interface ModelOutput {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly strict?: JsonSchema;
}

/** Settings for every request of a run. Providers differ in which they honour. */
export interface ModelSettings {
  /** From 0 to 2. */
  readonly temperature?: number;
  /** From 0 to 1. */
  readonly topP?: number;
  /** The longest answer, in tokens. */
  readonly maxTokens?: number;
  readonly reasoningEffort?: 'minimal' | 'low' | 'medium' | 'high';
  /** For providers that can answer alike again. */
  readonly seed?: number;
  /** Texts at which the answer ends. */
  readonly stop?: readonly string[];
  /** Added to the request's body unchanged. */
  readonly extraBody?: { readonly [key: string]: unknown };
}

/** One request to a model. The same `tools` array is passed for every request of a run, so an adapter may convert it once. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  readonly output?: ModelOutput;
  readonly settings: ModelSettings;
  readonly signal: AbortSignal;
}

/** Why a model stopped. `tool_calls` is derived from the calls themselves where a provider says `stop`. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';

/** What one request consumed, as the provider says; what it does not say is absent. Tokens as the provider counts them. */
export interface ModelUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
  /** US dollars, where the provider or a price table says. */
  readonly costUsd?: number;
}

/** One piece of a streamed answer. Fragments of one call share its `index`; a missing id is made up by the run. */
export type ModelChunk =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly index: number; readonly id?: string; readonly name?: string; readonly arguments?: string }
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'usage'; readonly usage: ModelUsage }
  /** Provider data that must come back with this answer in later requests. */
  | { readonly type: 'extra'; readonly extra: { readonly [key: string]: unknown } }
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'end'; readonly finish: FinishReason };

/**
 * A language model.
 *
 * `stream` yields the answer as it comes and ends with exactly one `end`; a stream that stops without it is a failure.
 * It throws a `ModelError` for everything that goes wrong, and stops when `request.signal` aborts.
 */
export interface Model {
  /** How the model is named to people: `openai:gpt-5-mini`. */
  readonly name: string;
  readonly capabilities: ModelCapabilities;
  stream(request: ModelRequest): AsyncIterable<ModelChunk>;
}

/** A provider string such as `openai:gpt-5-mini`, or a model. */
export type ModelRef = string | Model;

import type { ModelOutput, ModelRequest, ModelSettings, ModelTool, ToolChoice } from '../models/model';
import type { Message } from '../types/message';
import type { ActiveRun } from './active-run';
import type { Interruption } from './signals/interruption';
import type { Effect } from './loop/run-effect';

/** What a model is asked in one turn. Its signal is made when the model asks for it: many never do. */
export class TurnRequest implements ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  readonly output: ModelOutput | undefined;
  readonly settings: ModelSettings;
  declare readonly signal: AbortSignal;
  readonly #cut: Interruption;

  // A property of the object's own, as wrapping models copy requests with `{ ...request }`; its getter is shared, as one that closes over
  // its request would be compiled with each.
  private static readonly SIGNAL: PropertyDescriptor & ThisType<TurnRequest> = {
    enumerable: true,
    get() {
      return this.#cut.signal;
    },
  };

  constructor(
    { setup, state, transcript, system, modelTools, plan }: ActiveRun,
    { toolChoice, maxTokens }: Extract<Effect, { readonly kind: 'ask' }>,
    appended: readonly Message[],
    cut: Interruption,
  ) {
    const { agent, model } = setup;
    const { modelSettings } = agent;
    this.messages = transcript.shown(system, appended);
    this.tools = modelTools;
    this.toolChoice = toolChoice;
    this.parallelToolCalls = agent.parallelToolCalls && model.capabilities.parallelToolCalls;
    this.output = plan !== undefined && state.terms.answer.by === 'schema' ? plan.native : undefined;
    this.settings =
      maxTokens === undefined ? modelSettings : { ...modelSettings, maxTokens: Math.min(maxTokens, modelSettings.maxTokens ?? Infinity) };
    this.#cut = cut;
    Object.defineProperty(this, 'signal', TurnRequest.SIGNAL);
  }
  /** Without the signal; see the framework's own models. */
  onCut(listener: (reason: unknown) => void): () => void {
    return this.#cut.onAbort(listener);
  }
}

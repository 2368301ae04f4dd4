import { ModelError } from '../errors/run-error';
import { CallAssembler } from './call-assembler';
import { answerError } from './errors';
import type { FinishReason, ModelChunk, ModelUsage } from './model';
import { asPlain, asText, type Plain } from './plain';
import { ThinkTagReader, type ThoughtPiece } from './think-tags';
import { readUsage } from './usage';
import { DONE, type WireItem } from './wire';
import { WrittenCallReader } from './written-calls';

export interface ChatStreamOptions {
  /** The tools whose calls may be written into the text. Absent unless the provider's entry says so: text may be quoted. */
  readonly writtenCalls?: readonly string[];
  /** Whether the answer may begin with what the model thinks, in tags. */
  readonly thinkTags?: boolean;
}

const FINISHES: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['complete', 'stop'],
  ['completed', 'stop'],
  ['tool_calls', 'tool_calls'],
  ['tool_call', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'content_filter'],
  ['content-filter', 'content_filter'],
  ['safety', 'content_filter'],
  ['refusal', 'content_filter'],
]);

/** Of two finish reasons, the one that forbids more counts. */
const WEIGHT: { readonly [finish in FinishReason]: number } = { stop: 0, other: 0, tool_calls: 1, length: 2, content_filter: 3 };

/**
 * Reads the chat format of any provider into the chunks of the port: the one place that knows what providers leave out, repeat
 * or put elsewhere.
 *
 * `push` takes what came over the wire, `end` says that nothing more comes; both append to `out`.
 */
export class ChatStream {
  readonly out: ModelChunk[] = [];
  private readonly calls = new CallAssembler(this.out);
  private readonly written: WrittenCallReader | undefined;
  private readonly thinking: ThinkTagReader | undefined;
  private legacyCall = false;
  private finish: FinishReason | undefined;
  private over = false;
  private deltas = false;
  private content = false;
  private usage: ModelUsage | undefined;
  private reasoningDetails: unknown[] | undefined;

  constructor(options: ChatStreamOptions) {
    this.written = options.writtenCalls === undefined ? undefined : new WrittenCallReader(options.writtenCalls);
    this.thinking = options.thinkTags === true ? new ThinkTagReader() : undefined;
  }

  /** Whether the answer said why it ended: what follows can only be its usage. */
  get finished(): boolean {
    return this.finish !== undefined || this.over;
  }

  /** @throws ModelError for an error in the answer */
  push(item: WireItem): void {
    if (this.over) return;
    if (item === DONE) this.over = true;
    else if (Array.isArray(item.value)) for (const value of item.value) this.read(asPlain(value), item);
    else this.read(asPlain(item.value), item);
  }

  /** @throws ModelError when the answer just stopped */
  end(): void {
    if (!this.finished) throw cut(this.content || this.calls.any);
    if (this.thinking !== undefined) this.show(this.thinking.end());
    if (this.written !== undefined) this.endWritten(this.written);
    this.calls.end();
    this.out.push(...this.extra());
    if (this.usage !== undefined) this.out.push({ type: 'usage', usage: this.usage });
    this.out.push({ type: 'end', finish: this.reason() });
  }

  /** Provider data that must go back with this answer. */
  private extra(): ModelChunk[] {
    const extra: Record<string, unknown> = {};
    if (this.reasoningDetails !== undefined) extra['reasoning_details'] = this.reasoningDetails;
    if (this.calls.extras.size > 0) extra['calls'] = Object.fromEntries(this.calls.extras);
    return Object.keys(extra).length === 0 ? [] : [{ type: 'extra', extra: { chat: extra } }];
  }

  private reason(): FinishReason {
    const finish = this.finish;
    if (this.calls.count > 0) {
      if (finish === 'length' || finish === 'content_filter') return finish;
      if (finish === undefined && !this.calls.complete) throw cut(true);
      return 'tool_calls';
    }
    if (finish === 'tool_calls' || finish === undefined) {
      if (this.content) return 'stop';
      throw new ModelError(
        finish === undefined
          ? 'The model ended its answer without saying anything.'
          : 'The model said that it calls tools, but sent no call.',
        { retryable: true },
      );
    }
    return finish;
  }

  private read(value: Plain | undefined, item: WireItem): void {
    if (value === undefined) {
      if (item.whole) throw new ModelError('The model answered with JSON that is no object.', { retryable: true });
      return;
    }
    if (isError(value, item)) throw answerError(value);
    const usage = readUsage(value['usage'] ?? asPlain(value['x_groq'])?.['usage']);
    if (usage !== undefined) this.usage = usage;
    const choice = firstChoice(value['choices']);
    if (choice !== undefined) this.readChoice(choice, item.whole);
    else if (item.whole) throw new ModelError(noChoices(value), { retryable: true });
  }

  private readChoice(choice: Plain, whole: boolean): void {
    if (choice['error'] !== undefined && choice['error'] !== null) throw answerError(choice);
    const delta = asPlain(choice['delta']);
    // Some streams end with the whole message again.
    const message = delta === undefined && !this.deltas ? asPlain(choice['message']) : undefined;
    if (delta !== undefined) this.deltas = true;
    if (delta !== undefined || message !== undefined) this.readDelta((delta ?? message)!, whole);
    else if (whole) throw new ModelError("The model's answer holds no message.", { retryable: true });
    const reason = asText(choice['finish_reason']);
    if (reason !== undefined) this.readFinish(reason.toLowerCase());
    else if (whole) this.over = true;
  }

  private readFinish(reason: string): void {
    if (reason === 'error') throw new ModelError('The provider ended the answer with an error.', { retryable: true });
    const finish = FINISHES.get(reason) ?? 'other';
    if (this.finish === undefined || WEIGHT[finish] > WEIGHT[this.finish]) this.finish = finish;
  }

  private readDelta(delta: Plain, whole: boolean): void {
    this.readReasoning(delta);
    this.readContent(delta['content']);
    const refusal = asText(delta['refusal']);
    if (refusal !== undefined) {
      this.content = true;
      this.out.push({ type: 'refusal', text: refusal });
    }
    const calls = delta['tool_calls'];
    if (Array.isArray(calls))
      calls.forEach((call, position) => {
        const fragment = asPlain(call);
        if (fragment !== undefined) this.calls.push(fragment, whole ? position : undefined);
      });
    else if (asPlain(calls) !== undefined) this.calls.push(asPlain(calls)!);
    const legacy = asPlain(delta['function_call']);
    // A call in both forms is one call.
    if (legacy !== undefined && (this.legacyCall || !this.calls.any)) {
      this.legacyCall = true;
      this.calls.push(legacy, 0);
    }
  }

  private readReasoning(delta: Plain): void {
    const text = asText(delta['reasoning_content']) ?? asText(delta['reasoning']) ?? asText(asPlain(delta['reasoning'])?.['content']);
    if (text !== undefined) this.out.push({ type: 'reasoning', text });
    const details = delta['reasoning_details'];
    if (!Array.isArray(details) || details.length === 0) return;
    this.reasoningDetails = [...(this.reasoningDetails ?? []), ...(details as unknown[])];
    if (text !== undefined) return;
    for (const detail of details) {
      const shown = asText(asPlain(detail)?.['text']) ?? asText(asPlain(detail)?.['summary']);
      if (shown !== undefined) this.out.push({ type: 'reasoning', text: shown });
    }
  }

  private readContent(content: unknown): void {
    if (typeof content === 'string') return this.text(content);
    const parts = Array.isArray(content) ? content : [content];
    for (const value of parts) {
      if (typeof value === 'string') this.text(value);
      const part = asPlain(value);
      if (part === undefined) continue;
      if (part['type'] === 'thinking' || part['type'] === 'reasoning') {
        const thought = thinking(part['thinking'] ?? part['text'] ?? part['content']);
        if (thought !== '') this.out.push({ type: 'reasoning', text: thought });
      } else if (part['type'] === 'refusal' && asText(part['refusal']) !== undefined) {
        this.content = true;
        this.out.push({ type: 'refusal', text: part['refusal'] as string });
      } else this.text(asText(part['text']) ?? '');
    }
  }

  private text(text: string): void {
    if (text === '') return;
    this.content = true;
    if (this.thinking === undefined) this.shown(text);
    else this.show(this.thinking.push(text));
  }

  private show({ reasoning, text }: ThoughtPiece): void {
    if (reasoning !== '') this.out.push({ type: 'reasoning', text: reasoning });
    this.shown(text);
  }

  private shown(text: string): void {
    const surely = this.written === undefined ? text : this.written.push(text);
    if (surely !== '') this.out.push({ type: 'text', text: surely });
  }

  private endWritten(written: WrittenCallReader): void {
    const rest = written.end();
    if (rest.text !== '') this.out.push({ type: 'text', text: rest.text });
    // Beside real calls, written ones are quotations.
    if (!this.calls.any) for (const call of rest.calls) this.calls.push(call, -1 - this.calls.count);
    else if (rest.calls.length > 0) this.out.push({ type: 'text', text: rest.source });
  }
}

function isError(value: Plain, item: WireItem): boolean {
  const error = value['error'];
  if ((typeof error === 'object' && error !== null) || (typeof error === 'string' && error !== '')) return true;
  return value['object'] === 'error' || value['type'] === 'error' || (item.event === 'error' && !Array.isArray(value['choices']));
}

/** The choice with the lowest index: more than one is never asked for. */
function firstChoice(choices: unknown): Plain | undefined {
  if (!Array.isArray(choices)) return asPlain(choices);
  for (const choice of choices) {
    const it = asPlain(choice);
    if (it !== undefined && (it['index'] === undefined || it['index'] === null || it['index'] === 0)) return it;
  }
  return undefined;
}

function thinking(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((part) => (typeof part === 'string' ? part : (asText(asPlain(part)?.['text']) ?? ''))).join('');
}

function noChoices(value: Plain): string {
  const said = asText(value['message']) ?? asText(value['detail']);
  return `The model's answer holds no choices${said === undefined ? ` (its keys: ${Object.keys(value).slice(0, 8).join(', ') || 'none'})` : `: ${said}`}.`;
}

function cut(begun: boolean): ModelError {
  return new ModelError(
    `The model's stream stopped without its end${begun ? ', in the middle of an answer' : ''}: what came may be cut off, so none of it is used.`,
    { retryable: true },
  );
}

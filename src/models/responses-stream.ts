import { ModelError } from '../errors/run-error';
import type { AnswerReader } from './ask-and-read';
import { CallAssembler } from './call-assembler';
import { answerError } from './errors';
import type { FinishReason, ModelChunk, ModelUsage } from './model';
import { asPlain, asText, type Plain } from './plain';
import { readUsage } from './usage';
import type { WireItem } from './wire';

/** Reads the events of the Responses API, or a whole response, into the chunks of the port. */
export class ResponsesStream implements AnswerReader {
  readonly out: ModelChunk[] = [];
  private readonly calls = new CallAssembler(this.out);
  private readonly reasoning: Plain[] = [];
  /** Items of which a piece was passed on, so that the whole item at its end adds nothing. */
  private readonly begun = new Set<string>();
  private finish: FinishReason | undefined;
  private content = false;
  private usage: ModelUsage | undefined;

  get finished(): boolean {
    return this.finish !== undefined;
  }

  /** @throws ModelError for an error in the answer */
  push(item: WireItem): void {
    const value = asPlain(item.value);
    if (value === undefined || this.finished) return;
    if (item.whole || value['object'] === 'response') return this.readWhole(value);
    const type = asText(value['type']) ?? item.event;
    const delta = asText(value['delta']);
    switch (type) {
      case 'response.output_text.delta':
        return this.say('text', 'text', value, delta);
      case 'response.refusal.delta':
        return this.say('refusal', 'refusal', value, delta);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.say('reasoning', 'reasoning', value, delta);
      case 'response.output_item.added':
        return this.readCall(asPlain(value['item']), value, undefined);
      case 'response.function_call_arguments.delta':
        return this.callPiece(value, delta);
      case 'response.output_item.done':
        return this.readItem(asPlain(value['item']), value);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.readEnd(asPlain(value['response']) ?? {}, type.slice('response.'.length));
      case 'error':
        throw answerError(asPlain(value['error']) === undefined ? { error: value } : value);
      default:
        if (asPlain(value['error']) !== undefined) throw answerError(value);
    }
  }

  end(): void {
    const finish = this.finish;
    if (finish === undefined)
      throw new ModelError("The model's stream stopped without its end: what came may be cut off, so none of it is used.", {
        retryable: true,
      });
    this.calls.end();
    if (this.reasoning.length > 0) this.out.push({ type: 'extra', extra: { responses: { reasoning: this.reasoning } } });
    if (this.usage !== undefined) this.out.push({ type: 'usage', usage: this.usage });
    this.out.push({ type: 'end', finish: finish === 'stop' && this.calls.count > 0 ? 'tool_calls' : finish });
  }

  private say(type: 'text' | 'refusal' | 'reasoning', kind: string, value: Plain, text: string | undefined): void {
    if (text === undefined) return;
    this.begun.add(`${kind} ${placeOf(value)}`);
    if (type !== 'reasoning') this.content = true;
    this.out.push({ type, text });
  }

  private callPiece(value: Plain, delta: string | undefined): void {
    if (delta === undefined) return;
    this.begun.add(`arguments ${placeOf(value)}`);
    this.calls.push({ index: value['output_index'], arguments: delta });
  }

  private readCall(item: Plain | undefined, value: Plain, argumentsText: unknown): void {
    if (item?.['type'] !== 'function_call') return;
    this.calls.push({ index: value['output_index'], id: item['call_id'] ?? item['id'], name: item['name'], arguments: argumentsText });
  }

  private readItem(item: Plain | undefined, value: Plain): void {
    const place = placeOf(value);
    if (item?.['type'] === 'function_call')
      this.readCall(item, value, this.begun.has(`arguments ${place}`) ? undefined : item['arguments']);
    else if (item?.['type'] === 'reasoning') {
      if (!this.begun.has(`reasoning ${place}`))
        for (const text of texts(item['summary'], 'text')) this.say('reasoning', 'reasoning', value, text);
      // Without its encrypted content an item is only a reference to what the provider has not stored.
      if (asText(item['encrypted_content']) !== undefined) this.reasoning.push(sendable(item));
    } else if (item?.['type'] === 'message') {
      if (!this.begun.has(`text ${place}`)) for (const text of texts(item['content'], 'text')) this.say('text', 'text', value, text);
      if (!this.begun.has(`refusal ${place}`))
        for (const text of texts(item['content'], 'refusal')) this.say('refusal', 'refusal', value, text);
    }
  }

  private readWhole(response: Plain): void {
    const error = response['error'];
    if (error !== undefined && error !== null) throw answerError(response);
    const output = response['output'];
    if (!Array.isArray(output)) throw new ModelError("The model's answer holds no output.", { retryable: true });
    output.forEach((item, at) => this.readItem(asPlain(item), { output_index: at }));
    this.readEnd(response, asText(response['status']) ?? 'completed');
  }

  private readEnd(response: Plain, status: string): void {
    this.usage = readUsage(response['usage']) ?? this.usage;
    if (status === 'failed' || status === 'cancelled')
      throw asPlain(response['error']) === undefined
        ? new ModelError(`The provider ended the answer as ${status}.`, { retryable: status === 'failed' })
        : answerError(response);
    if (status === 'incomplete') {
      const reason = asText(asPlain(response['incomplete_details'])?.['reason']);
      this.finish =
        reason === 'content_filter' ? 'content_filter' : reason === 'max_output_tokens' || reason === undefined ? 'length' : 'other';
      return;
    }
    // A stream may name its items only here.
    const output = response['output'];
    if (!this.content && !this.calls.any && Array.isArray(output) && output.length > 0)
      output.forEach((item, at) => {
        if (asPlain(item)?.['type'] !== 'reasoning') this.readItem(asPlain(item), { output_index: at });
      });
    this.finish = 'stop';
  }
}

function placeOf(value: Plain): string {
  const place = value['output_index'] ?? value['item_id'];
  return typeof place === 'number' || typeof place === 'string' ? String(place) : '';
}

function texts(parts: unknown, key: string): string[] {
  return Array.isArray(parts) ? parts.flatMap((part) => asText(asPlain(part)?.[key]) ?? []) : [];
}

/** A reasoning item as the API takes it back: what is empty is refused. */
function sendable(item: Plain): Plain {
  return Object.fromEntries(Object.entries(item).filter(([key, value]) => key !== 'status' && value !== null && value !== undefined));
}

import { ModelError } from '../errors/run-error';
import { answerError, toModelError, type RequestPlace } from '../models/errors';
import type { FinishReason, ModelChunk, ModelUsage } from '../models/model';
import { asJson, asPlain, asText, type Plain } from '../models/plain';
import { EXTRA } from './sdk-prompt';

const FINISHES: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content-filter', 'content_filter'],
  ['tool-calls', 'tool_calls'],
]);

interface Call {
  readonly index: number;
  sent: string;
  whole: boolean;
}

interface Thought {
  text: string;
  metadata: unknown;
}

/** Reads the parts of the SDK's stream, of any version, into the chunks of the port. */
export class SdkStream {
  readonly out: ModelChunk[] = [];
  private readonly calls = new Map<string, Call>();
  private readonly thoughts = new Map<string, Thought>();
  private readonly callMetadata = new Map<number, unknown>();
  /** Calls that the provider carries out itself. */
  private readonly foreign = new Set<string>();
  private over = false;

  constructor(private readonly place: RequestPlace) {}

  /** @throws ModelError for a part that tells of an error */
  push(value: unknown): void {
    const part = asPlain(value);
    if (part === undefined || this.over) return;
    switch (part['type']) {
      case 'text-delta':
        return this.say('text', asText(part['delta']));
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.think(part);
      case 'tool-input-start':
        if (part['providerExecuted'] === true) this.foreign.add(String(part['id']));
        else this.call(part['id'], part['toolName']);
        return;
      case 'tool-input-delta':
        return this.callPiece(part);
      case 'tool-call':
        return this.wholeCall(part);
      case 'stream-start':
        return this.warn(part['warnings']);
      case 'file':
        this.out.push({ type: 'warning', text: `${this.place.provider} answered with a file, which is left out.` });
        return;
      case 'finish':
        return this.finish(part);
      case 'error':
        throw sdkFailure(part['error'], this.place);
    }
  }

  /** @throws ModelError when the stream just stopped */
  end(): void {
    if (!this.over) throw cut();
  }

  private say(type: 'text' | 'reasoning', text: string | undefined): void {
    if (text !== undefined) this.out.push({ type, text });
  }

  private think(part: Plain): void {
    const id = String(part['id']);
    let thought = this.thoughts.get(id);
    if (thought === undefined) this.thoughts.set(id, (thought = { text: '', metadata: undefined }));
    const delta = asText(part['delta']);
    thought.text += delta ?? '';
    thought.metadata = part['providerMetadata'] ?? thought.metadata;
    this.say('reasoning', delta);
  }

  private call(id: unknown, name: unknown): Call {
    const key = String(id);
    let call = this.calls.get(key);
    if (call === undefined) {
      const index = this.calls.size;
      this.calls.set(key, (call = { index, sent: '', whole: false }));
      const callId = asText(id);
      this.out.push({ type: 'call', index, name: asText(name) ?? '', ...(callId === undefined ? {} : { id: callId }) });
    }
    return call;
  }

  private callPiece(part: Plain): void {
    const call = this.calls.get(String(part['id']));
    const delta = asText(part['delta']);
    if (call === undefined || call.whole || delta === undefined) return;
    call.sent += delta;
    this.out.push({ type: 'call', index: call.index, arguments: delta });
  }

  /** The call as it counts; its pieces came before, or not. */
  private wholeCall(part: Plain): void {
    const id = String(part['toolCallId']);
    if (part['providerExecuted'] === true || this.foreign.has(id)) return;
    const call = this.call(part['toolCallId'], part['toolName']);
    if (call.whole) return;
    call.whole = true;
    if (part['providerMetadata'] !== undefined) this.callMetadata.set(call.index, part['providerMetadata']);
    const input = typeof part['input'] === 'string' ? part['input'] : asJson(part['input']);
    if (input.startsWith(call.sent)) {
      if (input.length > call.sent.length) this.out.push({ type: 'call', index: call.index, arguments: input.slice(call.sent.length) });
    } else if (!sameJson(input, call.sent))
      throw new ModelError(`The arguments of the call ${JSON.stringify(id)} changed between their pieces and their end.`, {
        retryable: true,
      });
  }

  private warn(warnings: unknown): void {
    if (!Array.isArray(warnings)) return;
    for (const value of warnings.slice(0, 20)) {
      const warning = asPlain(value) ?? {};
      const what = asText(warning['setting']) ?? asText(warning['feature']) ?? asText(asPlain(warning['tool'])?.['name']);
      const why = asText(warning['message']) ?? asText(warning['details']) ?? asText(warning['type']) ?? 'a warning';
      this.out.push({ type: 'warning', text: `${this.place.provider}: ${what === undefined ? '' : `${what}: `}${why}` });
    }
  }

  private finish(part: Plain): void {
    const reason = part['finishReason'];
    const said = typeof reason === 'string' ? reason : (asText(asPlain(reason)?.['unified']) ?? 'other');
    if (said === 'error' || said === 'interrupted') throw new ModelError(`The provider ended the answer as ${said}.`, { retryable: true });
    const finish = FINISHES.get(said) ?? 'other';
    const cutOff = finish === 'length' || finish === 'content_filter';
    if (!cutOff && [...this.calls.values()].some((call) => !call.whole)) throw cut();
    this.over = true;
    if (this.thoughts.size > 0 || this.callMetadata.size > 0) this.out.push({ type: 'extra', extra: { [EXTRA]: this.extra() } });
    this.out.push({ type: 'usage', usage: usageOf(part['usage']) });
    this.out.push({ type: 'end', finish: this.calls.size > 0 && !cutOff ? 'tool_calls' : finish === 'tool_calls' ? 'stop' : finish });
  }

  private extra(): object {
    const reasoning = [...this.thoughts.values()].map(({ text, metadata }) => ({ text, ...(metadata === undefined ? {} : { metadata }) }));
    return { provider: this.place.provider, reasoning, calls: Object.fromEntries(this.callMetadata) };
  }
}

/** What an SDK's provider threw: its errors say `statusCode`, `responseHeaders` and `responseBody`. */
export function sdkFailure(error: unknown, place: RequestPlace): ModelError {
  const facts = asPlain(error);
  const status = facts?.['statusCode'];
  if (typeof status === 'number' && status >= 400) {
    const message = asText(facts?.['message']) ?? asText(facts?.['responseBody']) ?? '';
    return toModelError(
      Object.assign(new Error(message, { cause: error }), { status, headers: facts?.['responseHeaders'], error: message }),
      place,
    );
  }
  return error instanceof Error ? toModelError(error, place) : answerError({ error });
}

function usageOf(value: unknown): ModelUsage {
  const usage = asPlain(value) ?? {};
  const input = asPlain(usage['inputTokens']);
  const output = asPlain(usage['outputTokens']);
  const read: { -readonly [K in keyof ModelUsage]: ModelUsage[K] } = {};
  set('inputTokens', input === undefined ? usage['inputTokens'] : input['total']);
  set('outputTokens', output === undefined ? usage['outputTokens'] : output['total']);
  set('cachedTokens', input === undefined ? usage['cachedInputTokens'] : input['cacheRead']);
  set('reasoningTokens', output === undefined ? usage['reasoningTokens'] : output['reasoning']);
  return read;

  function set(key: keyof ModelUsage, count: unknown): void {
    if (typeof count === 'number' && Number.isFinite(count) && count >= 0) read[key] = count;
  }
}

function sameJson(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
  } catch {
    return false;
  }
}

function cut(): ModelError {
  return new ModelError("The model's stream stopped without its end: what came may be cut off, so none of it is used.", {
    retryable: true,
  });
}

import { ModelError } from '../errors/run-error';
import type { FinishReason, ModelRequest, ModelUsage } from '../models/model';
import type { RequestExpectation } from './request-expectation';

/** One thing that a scripted answer does; several in an array make one answer. */
export type ScriptPiece =
  | { readonly piece: 'text'; readonly text: string }
  | { readonly piece: 'reasoning'; readonly text: string }
  | { readonly piece: 'call'; readonly name: string; readonly arguments: string; readonly id: string | undefined }
  | { readonly piece: 'refusal'; readonly text: string }
  | { readonly piece: 'usage'; readonly usage: ModelUsage }
  | { readonly piece: 'finish'; readonly finish: FinishReason }
  | { readonly piece: 'output'; readonly value: unknown }
  | { readonly piece: 'expect'; readonly expected: RequestExpectation }
  | { readonly piece: 'fail'; readonly error: unknown }
  | { readonly piece: 'stall' }
  | { readonly piece: 'cut' };

/** A call of a scripted answer: what `callTool` gives. */
export type CallPiece = Extract<ScriptPiece, { readonly piece: 'call' }>;

/** An answer: text, a piece, or pieces in the order in which they are streamed. */
export type ScriptAnswer = string | ScriptPiece | readonly ScriptPiece[];

/** One answer of a script, or a function that gives it when the request comes. What the function throws fails the test. */
export type ScriptStep = ScriptAnswer | ((request: ModelRequest) => ScriptAnswer | Promise<ScriptAnswer>);

/**
 * Answers with text.
 * @example scripted([say('Take a coat.')])
 */
export function say(text: string): ScriptPiece {
  return { piece: 'text', text };
}

/**
 * Calls one tool.
 * @param args an object, or a string that is sent as it is: how a test sends broken JSON
 * @example callTool('current_weather', { city: 'Oslo' })
 */
export function callTool(name: string, args: object | string = {}, options: { readonly id?: string } = {}): CallPiece {
  return { piece: 'call', name, arguments: typeof args === 'string' ? args : JSON.stringify(args), id: options.id };
}

/**
 * Calls several tools in one answer.
 * @example callTools([['read_file', { path: 'a' }], ['read_file', { path: 'b' }]])
 */
export function callTools(calls: readonly (CallPiece | readonly [name: string, args?: object | string])[]): readonly CallPiece[] {
  return calls.map((call) => ('piece' in call ? call : callTool(call[0], call[1])));
}

/**
 * Reasons before it answers.
 * @example think('They ask for weather.', callTool('current_weather', { city: 'Oslo' }))
 */
export function think(text: string, ...then: readonly ScriptPiece[]): readonly ScriptPiece[] {
  return [{ piece: 'reasoning', text }, ...then];
}

/**
 * Answers with a value of the agent's `output`: natively where the request asks for a schema, else by the tool it forces.
 * @example scripted([answer({ celsius: 2 })])
 */
export function answer(value: unknown): ScriptPiece {
  return { piece: 'output', value };
}

/**
 * Refuses to answer, as a provider's safety layer does.
 * @example scripted([refuse()])
 */
export function refuse(text = 'I cannot help with that.'): ScriptPiece {
  return { piece: 'refusal', text };
}

/**
 * The request fails: with the error given, or with a `ModelError` of this text. After other pieces it fails in mid-stream.
 * @example [say('The answer'), fail('connection reset')]
 */
export function fail(error: unknown): ScriptPiece {
  return { piece: 'fail', error: typeof error === 'string' ? new ModelError(error) : error };
}

/**
 * Never answers; only an abort or a timeout ends it. After other pieces it stalls in mid-stream.
 * @example scripted([[say('One moment'), stall()]])
 */
export function stall(): ScriptPiece {
  return { piece: 'stall' };
}

/**
 * The stream stops without its end, as when a connection is cut. Put it after the pieces that still arrive.
 * @example scripted([[say('Half an'), cutStream()]])
 */
export function cutStream(): ScriptPiece {
  return { piece: 'cut' };
}

/**
 * Ends the answer for another reason than the pieces suggest: `[say('Once upon a'), finish('length')]`.
 * @example scripted([[say('Once upon a'), finish('length')]])
 */
export function finish(reason: FinishReason): ScriptPiece {
  return { piece: 'finish', finish: reason };
}

/**
 * What the request consumed, in place of the usual 10 tokens in and 5 out.
 * @example scripted([[say('Yes.'), consume({ inputTokens: 900, outputTokens: 3, costUsd: 0.01 })]])
 */
export function consume(usage: ModelUsage): ScriptPiece {
  return { piece: 'usage', usage };
}

/**
 * Checks what the model is shown, before it answers.
 * @example [expectRequest({ tools: ['current_weather'], user: /coat/ }), say('Yes.')]
 */
export function expectRequest(expected: RequestExpectation): ScriptPiece {
  return { piece: 'expect', expected };
}

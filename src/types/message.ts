import type { Outcome, Trust } from './outcome';

/** A piece of content: what a person sends, what a model answers, what a tool gives back. */
export type Part = TextPart | ImagePart | FilePart | JsonPart;

/** Text. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** An image, by address or as base64 with its media type. */
export interface ImagePart {
  readonly type: 'image';
  readonly url?: string;
  readonly data?: string;
  readonly mediaType?: string;
}

/** A file, by address or as base64 with its media type. */
export interface FilePart {
  readonly type: 'file';
  readonly name?: string;
  readonly url?: string;
  readonly data?: string;
  readonly mediaType?: string;
}

/** A plain value; the model reads it as JSON text. */
export interface JsonPart {
  readonly type: 'json';
  readonly value: unknown;
}

/** A tool call as the model made it; `arguments` is always valid JSON text. */
export interface MessageCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A standing instruction to the model. */
export interface SystemMessage {
  readonly v: 1;
  readonly role: 'system';
  readonly text: string;
}

/** What a person said. */
export interface UserMessage {
  readonly v: 1;
  readonly role: 'user';
  readonly parts: readonly Part[];
}

/** What the model answered: content, calls, or both. */
export interface AssistantMessage {
  readonly v: 1;
  readonly role: 'assistant';
  readonly parts: readonly Part[];
  readonly calls: readonly MessageCall[];
  /** The model's reasoning as text, where the provider shows it. */
  readonly reasoning?: string;
  /** Provider data that must go back unchanged, keyed by provider. */
  readonly extra?: { readonly [key: string]: unknown };
}

/** The one result of one call. */
export interface ToolMessage {
  readonly v: 1;
  readonly role: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly parts: readonly Part[];
  readonly outcome: Outcome;
  readonly trust: Trust;
  /** The random marker that fences an untrusted result; kept so that a request's bytes stay the same from turn to turn. */
  readonly marker?: string;
}

/**
 * One entry of a transcript: plain data, versioned, safe to store as JSON.
 *
 * A transcript is valid when each call of an assistant message has exactly one tool message, adjacent and in call order.
 */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

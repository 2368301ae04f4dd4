import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sse, type Reply } from './loopback';

/** What a handed stream must be read as. */
export interface Expectation {
  readonly outcome: string;
  readonly text?: string;
  readonly textContains?: string;
  readonly reasoning?: string | { readonly anyOf: readonly string[] };
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown; readonly id: unknown }[];
  readonly finish?: string | { readonly anyOf: readonly string[] };
  readonly usage?: { readonly input: number; readonly output: number };
  readonly retryable?: boolean;
  readonly message?: string;
  readonly partialText?: string;
  readonly tell?: readonly string[];
  readonly onlyIf?: string;
  readonly anyOf?: readonly Expectation[];
}
export interface StreamCase {
  readonly id: string;
  readonly mode: 'stream' | 'sse' | 'json' | 'json-for-stream' | 'sse-for-json' | 'text-for-json';
  readonly quirk: string;
  readonly chunks?: readonly unknown[];
  readonly done?: boolean;
  readonly raw?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly expect: Expectation;
}

/** The handed answers of providers. */
export const { cases: streamCases } = JSON.parse(readFileSync(join(__dirname, '../fixtures/cases/streams.json'), 'utf8')) as {
  readonly cases: readonly StreamCase[];
};

export function bodyOf(it: StreamCase): string {
  if (it.chunks !== undefined) return sse(it.chunks, it.done ?? false);
  return it.raw ?? JSON.stringify(it.body);
}

export function replyOf(it: StreamCase, pieces: readonly Uint8Array[]): Reply {
  const json = it.body !== undefined;
  return { headers: { 'content-type': it.contentType ?? (json ? 'application/json' : 'text/event-stream') }, pieces };
}

export const isStreamed = ({ mode }: StreamCase): boolean => mode === 'stream' || mode === 'sse' || mode === 'json-for-stream';

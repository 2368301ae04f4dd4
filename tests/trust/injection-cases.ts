import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One of the handed injections. */
export interface InjectionCase {
  readonly id: string;
  readonly channel: string;
  readonly payload:
    | string
    | { readonly gen: 'pad'; readonly unit: string; readonly chars: number; readonly then: string }
    | { readonly gen: 'bytes'; readonly hex: string };
  readonly must: readonly string[];
  readonly keep?: readonly string[];
}

export const { cases } = JSON.parse(readFileSync(join(__dirname, '../fixtures/cases/injections.json'), 'utf8')) as {
  readonly cases: readonly InjectionCase[];
};

/** The text of an injection, its markers written out. */
export function payloadText(payload: InjectionCase['payload'], marker: (base: string, transform: string | undefined) => string): string {
  if (typeof payload === 'string')
    return payload.replace(/\{\{(\w+)(?:\|(\w+))?\}\}/g, (_, base: string, transform?: string) => marker(base, transform));
  return payload.gen === 'pad' ? payload.unit.repeat(payload.chars) + payload.then : Buffer.from(payload.hex, 'hex').toString('utf8');
}

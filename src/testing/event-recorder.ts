import type { RunEvent } from '../types/run-event';

/** Keeps the events of runs; give `onEvent` to `run`. */
export interface EventRecorder {
  readonly onEvent: (event: RunEvent) => void;
  readonly events: readonly RunEvent[];
  /** The events as they are the same in every run of a test: fit for a snapshot. */
  stable(): readonly object[];
  clear(): void;
}

/**
 * Records the events of runs.
 * @example
 * const recorder = recordEvents();
 * await runner.run(WeatherAgent, 'Coat?', { onEvent: recorder.onEvent });
 * expect(recorder.stable()).toMatchSnapshot();
 */
export function recordEvents(): EventRecorder {
  const events: RunEvent[] = [];
  return {
    onEvent: (event) => void events.push(event),
    events,
    stable: () => stableEvents(events),
    clear: () => void events.splice(0),
  };
}

/**
 * Events without what differs from run to run: ids are counted in order of appearance, times are left out, and deltas that follow each other are one.
 * @example expect(stableEvents(events)).toMatchSnapshot();
 */
export function stableEvents(events: readonly RunEvent[]): readonly object[] {
  const names = new Map<string, string>();
  const named = (kind: string, id: string): string => {
    const known = names.get(`${kind} ${id}`);
    if (known !== undefined) return known;
    const name = `${kind}_${[...names.keys()].filter((key) => key.startsWith(`${kind} `)).length + 1}`;
    names.set(`${kind} ${id}`, name);
    return name;
  };
  const stable: Record<string, unknown>[] = [];
  for (const { seq: _seq, at: _at, ...event } of events) {
    const plain: Record<string, unknown> = structured(event, named);
    const last = stable.at(-1);
    const follows =
      last?.['type'] === 'model.delta' &&
      plain['type'] === 'model.delta' &&
      ['kind', 'index', 'runId'].every((key) => last[key] === plain[key]);
    if (follows) last['text'] = `${String(last['text'])}${String(plain['text'])}`;
    else stable.push(plain);
  }
  return stable;
}

function structured(event: object, named: (kind: string, id: string) => string): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(event, function (this: Record<string, unknown>, key: string, value: unknown) {
      if (key === 'durationMs') return undefined;
      if (typeof value === 'bigint') return String(value);
      if (typeof value !== 'string') return value;
      if (key === 'runId') return named('run', value);
      // Of a message, a call's id stands beside its arguments.
      if (key === 'callId' || (key === 'id' && 'arguments' in this)) return named('call', value);
      return key === 'marker' ? 'marker' : value;
    }),
  ) as Record<string, unknown>;
}

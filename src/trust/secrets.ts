import { UsageError } from '../errors/usage-error';

/** The registered values, and every form in which they are looked for, longest first. */
interface Registered {
  readonly values: Set<string>;
  needles: readonly string[];
}

// On `globalThis`, so that two copies of the package in one process keep the same secrets.
const SECRETS = Symbol.for('toolwright.v1.secrets');
const holder = globalThis as { [SECRETS]?: Registered };
const registered: Registered = (holder[SECRETS] ??= { values: new Set(), needles: [] });

const SHORTEST = 8;
const MOST = 1_000;

/**
 * Registers a value that must not be seen: events, warnings, errors and the audit trail show `[redacted]` in its place, also where it is
 * URL-encoded, inside JSON, or in base64. Returns the value.
 *
 * It is for the process's own keys. What the model reads, transcripts and snapshots are exact.
 * @param value at least 8 UTF-16 code units: shorter texts stand in ordinary words
 * @throws UsageError for anything else, and beyond 1 000 values
 * @example const client = new Billing(secret(process.env.BILLING_KEY ?? ''));
 */
export function secret(value: string): string {
  if (typeof value !== 'string' || value.trim().length < SHORTEST)
    throw new UsageError(
      `secret(value) takes a text of at least ${SHORTEST} characters; shorter ones would be found in ordinary words. Is an environment variable missing?`,
    );
  if (registered.values.has(value)) return value;
  if (registered.values.size >= MOST)
    throw new UsageError(
      `More than ${MOST} secrets are registered. Register the process's own keys with secret(), and forget others with forgetSecret() when they are not used any more.`,
    );
  registered.values.add(value);
  registered.needles = needlesOf(registered.values);
  return value;
}

/**
 * Takes a value back that was registered by `secret`.
 * @example forgetSecret(oldKey);
 */
export function forgetSecret(value: string): void {
  if (registered.values.delete(value)) registered.needles = needlesOf(registered.values);
}

/** Every text to look for, longest first; empty, and the same array, while nothing is registered. */
export function secretNeedles(): readonly string[] {
  return registered.needles;
}

function needlesOf(values: ReadonlySet<string>): readonly string[] {
  const needles = new Set<string>();
  for (const value of values) for (const form of formsOf(value)) if (form.length >= SHORTEST) needles.add(form);
  return Object.freeze([...needles].sort((a, b) => b.length - a.length));
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  return [
    value,
    value.trim(),
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
}

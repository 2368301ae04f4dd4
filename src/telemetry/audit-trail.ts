import type { Hooks } from '../agent/hooks';
import { aBoolean, aText, checkedOptions, type OptionRules } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import type { CallView } from '../invocation/hooks';
import { toPlain } from '../invocation/plain-value';
import type { ToolContext } from '../tools/tool-context';
import { redact } from '../trust/redaction';
import type { ToolCallRecord } from '../types/run-result';
import { AppendFile } from './append-file';

/** Where an audit trail is written, and how surely. */
export interface AuditTrailOptions {
  /** The file; it and its directories are made where they are missing, for their owner only. */
  readonly path: string;
  /** Whether a line must be on the disk before a call goes on, so that a power failure loses none; `false` by default. */
  readonly fsync?: boolean;
}

/** One line of the trail. A `begin` without its `end` is a call that a crash cut off: nobody knows whether it took effect. */
export interface AuditEntry {
  readonly v: 1;
  /** ISO time. */
  readonly at: string;
  readonly entry: 'begin' | 'end';
  readonly runId: string;
  readonly callId: string;
  /** The same for all attempts of a call, and after a resume. */
  readonly key: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** What the run was given as `metadata`. */
  readonly metadata?: unknown;
  readonly outcome?: ToolCallRecord['outcome'];
  readonly reason?: ToolCallRecord['reason'];
  readonly trust?: 'untrusted';
  readonly attempts?: number;
  readonly durationMs?: number;
  readonly content?: unknown;
  readonly effects?: unknown;
}

const OPTIONS: OptionRules = new Map([
  ['path', aText],
  ['fsync', aBoolean],
]);

/** What one text, and one line, holds at most, in UTF-16 code units: a log is no store of results. */
const LONGEST_TEXT = 4_000;
const LONGEST_LINE = 64_000;

/**
 * Hooks that write every call, whatever becomes of it, as JSON lines without secrets.
 *
 * A call that may change something is written down before it acts as well, and is refused when that fails. Sub-agents have hooks of their own:
 * put the trail on a base class of all agents whose calls it should hold.
 * @throws UsageError for options that do not exist or do not fit
 * @example `@AgentConfig({ hooks: [auditTrail({ path: 'logs/calls.jsonl', fsync: true })] })`
 */
export function auditTrail(options: AuditTrailOptions): Hooks {
  const { path, fsync = false } = checkedOptions(options, OPTIONS, 'auditTrail()') as Partial<AuditTrailOptions>;
  if (path === undefined) throw new UsageError("auditTrail(): `path` is missing. Write path: 'logs/calls.jsonl'.");
  return new AuditTrail(new AppendFile(path, fsync));
}

class AuditTrail implements Hooks {
  constructor(private readonly file: AppendFile) {}

  async onToolStart(call: CallView, context: ToolContext): Promise<void> {
    if (call.annotations.readOnly !== true) await this.file.append(lineOf('begin', call, context, {}));
  }

  async afterTool(call: CallView, record: ToolCallRecord, context: ToolContext): Promise<void> {
    const { outcome, reason, trust, attempts, durationMs, content, effects } = record;
    const facts = { outcome, reason, trust, attempts, durationMs, content, effects: toPlain(effects) };
    await this.file.append(lineOf('end', call, context, facts));
  }
}

function lineOf(entry: 'begin' | 'end', call: CallView, context: ToolContext, facts: Partial<AuditEntry>): string {
  const { requestId, idempotencyKey, metadata } = context;
  const whole: AuditEntry = {
    v: 1,
    at: context.timestamp.toISOString(),
    entry,
    runId: requestId,
    callId: call.id,
    key: idempotencyKey,
    tool: call.name,
    arguments: call.arguments,
    ...(Object.keys(metadata).length > 0 && { metadata: toPlain(metadata) }),
    ...facts,
  };
  const line = JSON.stringify(redact(whole), shortened);
  if (line.length <= LONGEST_LINE) return line;
  const note = `[left out: the line would have ${line.length} characters]`;
  const { metadata: _, effects, ...small } = whole;
  return JSON.stringify(
    {
      ...redact({ ...small, arguments: note }),
      ...(effects !== undefined && { effects: note }),
      ...('content' in small && { content: note }),
    },
    shortened,
  );
}

/** Cuts what is too long, after redaction: a cut could hide a secret from it. */
function shortened(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= LONGEST_TEXT) return value;
  return `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)`;
}

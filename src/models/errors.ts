import { ModelError, type ModelErrorOptions } from '../errors/run-error';
import { asJson, asPlain, asText, type Plain } from './plain';

/** Where a request went: what an error's advice needs to know. */
export interface RequestPlace {
  /** The provider, as in `openai:`. */
  readonly provider: string;
  readonly model: string;
  readonly baseURL: string | undefined;
  /** The environment variable that holds the key. */
  readonly keyVariable: string | undefined;
  /** The variable that holds the base URL. */
  readonly baseURLVariable: string | undefined;
  /** For servers on one's own machine: the command that starts it. */
  readonly start: string | undefined;
}

const RETRYABLE_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529, 598, 599]);
const RETRYABLE_WORDS =
  /rate.?limit|overload|unavailable|time.?d?.?out|try again|server.?error|internal.?error|too many requests|capacity|disconnect|upstream/i;
const FINAL_WORDS =
  /invalid.?request|invalid.?api.?key|authentication|unauthori[sz]ed|permission|forbidden|not.?found|context.?length|context.?window|content.?(policy|filter)|insufficient.?quota|billing|unsupported/i;
const REFUSED = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * What went wrong with a request, as a `ModelError` that says what to change.
 *
 * Reads the shapes that HTTP clients throw (`status`, `headers`, `error`, `cause`) without importing any of them.
 */
export function toModelError(error: unknown, place: RequestPlace): ModelError {
  if (ModelError.is(error)) return error;
  const facts = asPlain(error) ?? {};
  const status = httpStatus(facts['status']);
  return status === undefined ? transportError(error, place) : statusError(status, facts, error, place);
}

/** An error that stands in an answer, in mid-stream or in a body with status 200. */
export function answerError(value: Plain): ModelError {
  const error = value['error'];
  const facts = asPlain(error) ?? value;
  const text = errorText(value) ?? 'an error without a text';
  const code = facts['code'] ?? value['code'] ?? facts['status'];
  const status = httpStatus(typeof code === 'string' ? Number(code) : code);
  const words = [text, facts['type'], facts['code'], value['code']].filter((word) => typeof word === 'string').join(' ');
  const final = FINAL_WORDS.test(words) && !RETRYABLE_WORDS.test(words);
  return new ModelError(`The provider reported an error in its answer: ${clip(text, 500)}`, {
    ...(status === undefined ? {} : { status }),
    retryable: status === undefined ? !final : RETRYABLE_STATUS.has(status),
    details: { error: clip(words, 500) },
  });
}

/** A web page where an answer should be. */
export function htmlAnswer(body: string, status?: number): ModelError {
  const title = /<title[^>]{0,200}>([^<]{1,200})/i.exec(body.slice(0, 20_000))?.[1]?.trim();
  return new ModelError(`The server answered with a web page${title === undefined ? '' : ` (${JSON.stringify(title)})`}, not with JSON.`, {
    ...(status === undefined ? {} : { status }),
    retryable: status !== undefined && status >= 500,
    advice: 'The base URL is probably wrong: it must be that of the API, and usually ends in /v1.',
  });
}

/** The beginning of a text, quoted, for a message. */
export function answerExcerpt(text: string): string {
  return JSON.stringify(clip(text, 120));
}

/** What `Retry-After` (RFC 9110, section 10.2.3) or `retry-after-ms` asks for, in milliseconds. */
export function retryAfter(headers: unknown, now: number = Date.now()): number | undefined {
  const exact = Number(header(headers, 'retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = header(headers, 'retry-after');
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1_000 : undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function statusError(status: number, facts: Plain, cause: unknown, place: RequestPlace): ModelError {
  const headers = facts['headers'];
  const body = facts['error'];
  const raw = errorText(asPlain(body) ?? {}) ?? asText(body) ?? asText(facts['message']) ?? '';
  const who = `${place.provider} answered ${status}`;
  if (/<!doctype html|<html/i.test(raw.slice(0, 2_000))) {
    const page = htmlAnswer(raw, status);
    return new ModelError(`${who} for model ${JSON.stringify(place.model)}: ${page.message}`, {
      ...optionsOf(status, headers, cause),
      advice: status >= 500 ? 'The server or a proxy in front of it is down; try again later.' : baseURLAdvice(place),
    });
  }
  const text = redact(clip(raw.replace(/^\d{3}\s+/, ''), 600));
  const advice = statusAdvice(status, text, place);
  return new ModelError(`${who} for model ${JSON.stringify(place.model)}${text === '' ? '.' : `: ${text}`}`, {
    ...optionsOf(status, headers, cause),
    ...(status === 429 && /insufficient.?quota|billing/i.test(`${text} ${String(facts['code'])}`) ? { retryable: false } : {}),
    ...(advice === undefined ? {} : { advice }),
  });
}

function optionsOf(status: number, headers: unknown, cause: unknown): ModelErrorOptions {
  const requestId = header(headers, 'x-request-id') ?? header(headers, 'request-id') ?? asText(asPlain(cause)?.['requestID']);
  const after = retryAfter(headers);
  const said = header(headers, 'x-should-retry');
  return {
    status,
    retryable: said === 'true' || (said !== 'false' && RETRYABLE_STATUS.has(status)),
    cause,
    ...(requestId === undefined ? {} : { requestId }),
    ...(after === undefined ? {} : { retryAfter: after }),
  };
}

function statusAdvice(status: number, text: string, place: RequestPlace): string | undefined {
  if (status === 401 || status === 403)
    return place.keyVariable === undefined
      ? 'Check the API key that the model was given.'
      : `Check the key: set ${place.keyVariable} in the environment, or give \`apiKey\`.`;
  if (status === 404)
    return `Check the model's name (${JSON.stringify(place.model)}) and the base URL${place.baseURL === undefined ? '' : ` (${bareURL(place.baseURL)})`}.`;
  if (status === 413 || /context.?length|maximum context|too many tokens/i.test(text))
    return 'The conversation is too long for this model: shorten the messages, or lower `maxResultChars` of its tools.';
  if (status === 429) return 'The provider limits requests: wait, lower the rate, or check the plan behind the key.';
  if (status === 400 && /tool|function/i.test(text))
    return 'The provider refused the tools or messages as they were sent; its text says which.';
  return undefined;
}

function transportError(error: unknown, place: RequestPlace): ModelError {
  const code = causeCode(error);
  const at = place.baseURL === undefined ? place.provider : bareURL(place.baseURL);
  if (code === 'ECONNREFUSED')
    return new ModelError(`Nothing answers at ${at} (connection refused).`, {
      retryable: true,
      cause: error,
      advice: place.start === undefined ? baseURLAdvice(place) : `Start the server: ${place.start}`,
    });
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new ModelError(`The host of ${at} cannot be found (${code}).`, { retryable: true, cause: error, advice: baseURLAdvice(place) });
  const text = innermostText(error);
  const network =
    code !== undefined && (REFUSED.has(code) || code.startsWith('UND_ERR') || code === 'EPIPE')
      ? true
      : /terminated|connection error|fetch failed|timed out|socket|network|aborted/i.test(
          `${asText(asPlain(error)?.['message']) ?? ''} ${text}`,
        );
  if (network)
    return new ModelError(`The connection to ${at} broke${code === undefined ? '' : ` (${code})`}: ${redact(clip(text, 300))}`, {
      retryable: true,
      cause: error,
    });
  return new ModelError(`The request to ${at} failed: ${redact(clip(text, 500))}`, { retryable: false, cause: error });
}

/** The text of the first cause: clients wrap it in sentences that say nothing. */
function innermostText(error: unknown): string {
  let text = typeof error === 'string' ? error : asJson(error);
  // By shape: errors of another realm, such as a sandbox's, are no instances of this one's.
  for (let at = asPlain(error), depth = 0; at !== undefined && depth < 8; depth += 1) {
    text = asText(at['message']) ?? text;
    at = asPlain(at['cause']);
  }
  return text;
}

function baseURLAdvice(place: RequestPlace): string {
  const where = place.baseURL === undefined ? '' : `, now ${bareURL(place.baseURL)}`;
  return `Check the base URL${where}: give \`baseURL\`${place.baseURLVariable === undefined ? '' : ` or set ${place.baseURLVariable}`}.`;
}

/** The system's code of an error, wherever in its causes it lies. */
function causeCode(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; depth < 8; depth += 1) {
    const facts = asPlain(at);
    if (facts === undefined) return undefined;
    const code = asText(facts['code']);
    if (code !== undefined && /^(E[A-Z]{2,}|UND_ERR_\w+)$/.test(code)) return code;
    const errors = facts['errors'];
    at = Array.isArray(errors) && errors.length > 0 ? errors[0] : facts['cause'];
  }
  return undefined;
}

function errorText(value: Plain): string | undefined {
  const error = value['error'];
  if (typeof error === 'string' && error !== '') return error;
  const inner = asPlain(error);
  const text = asText(inner?.['message']) ?? asText(value['message']) ?? asText(value['detail']) ?? asText(value['code']);
  return text ?? (inner === undefined ? undefined : JSON.stringify(inner));
}

function httpStatus(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599 ? value : undefined;
}

function header(headers: unknown, name: string): string | undefined {
  const get = asPlain(headers)?.['get'];
  const value: unknown = typeof get === 'function' ? get.call(headers, name) : asPlain(headers)?.[name];
  return asText(value);
}

/** An address without what may be secret in it. */
function bareURL(address: string): string {
  try {
    const url = new URL(address);
    return `${url.origin}${url.pathname}`.replace(/\/$/, '');
  } catch {
    return JSON.stringify(clip(address, 100));
  }
}

function redact(text: string): string {
  return text
    .replace(/\/\/[^/@\s]{1,500}@/g, '//')
    .replace(/\b(sk|gsk|xai|key|pk)-[\w*.-]{6,}/g, '$1-[redacted]')
    .replace(/\bBearer\s+[\w.~+/-]+=*/gi, 'Bearer [redacted]');
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

type Check = (text: string) => boolean;

/** How each format is named to the model when a text does not fit it. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['date-time', 'a date and time such as "2024-05-01T10:00:00Z"'],
  ['date', 'a date such as "2024-05-01"'],
  ['time', 'a time with offset such as "10:00:00Z"'],
  ['duration', 'a duration such as "PT1H30M"'],
  ['email', 'an e-mail address'],
  ['hostname', 'a host name'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['uri', 'an absolute URI such as "https://example.com/"'],
  ['uuid', 'a UUID'],
]);

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(\.\d+)?(z|[+-](\d\d):(\d\d))$/i;
const DURATION = /^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const URI = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i;

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['date-time', isDateTime],
  ['date', isDate],
  ['time', isTime],
  ['duration', (text) => text.length <= 200 && DURATION.test(text)],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIPv4],
  ['ipv6', isIPv6],
  ['uri', (text) => URI.test(text) && URL.canParse(text)],
  ['uuid', (text) => UUID.test(text)],
]);

/** The local check of a format (RFC 3339, 4122, 3986 and JSON Schema 2020-12, section 7.3); a format without one is only shown to the model. */
export const formatCheck = (format: string): Check | undefined => CHECKS.get(format);

export const formatName = (format: string): string => NAMES.get(format) ?? `a text of format ${format}`;

export const formatNames = (): readonly string[] => [...CHECKS.keys()];

function isDate(text: string): boolean {
  const parts = DATE.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 ? (leap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31);
}

function isTime(text: string): boolean {
  const parts = text.length > 60 ? null : TIME.exec(text);
  if (parts === null) return false;
  return (
    Number(parts[1]) < 24 && Number(parts[2]) < 60 && Number(parts[3]) < 60 && Number(parts[6] ?? 0) < 24 && Number(parts[7] ?? 0) < 60
  );
}

/** RFC 3339, section 5.6, without leap seconds, which a `Date` cannot hold. */
function isDateTime(text: string): boolean {
  return (text[10] === 'T' || text[10] === 't') && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isHostname(text: string): boolean {
  return text.length > 0 && text.length <= 253 && text.split('.').every((label) => LABEL.test(label));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64 || text.length > 254) return false;
  return LOCAL_PART.test(text.slice(0, at)) && isHostname(text.slice(at + 1));
}

function isIPv4(text: string): boolean {
  const parts = text.split('.', 5);
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isIPv6(text: string): boolean {
  if (text.length > 45 || !/^[0-9a-f:.]+$/i.test(text)) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  let count = 0;
  for (const [half, parts] of groups.entries()) {
    for (const [at, part] of parts.entries()) {
      const isLast = half === groups.length - 1 && at === parts.length - 1;
      if (/^[0-9a-f]{1,4}$/i.test(part)) count += 1;
      else if (isLast && isIPv4(part)) count += 2;
      else return false;
    }
  }
  return halves.length === 2 ? count < 8 : count === 8;
}

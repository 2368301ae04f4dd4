/** A moment as the clocks of a time zone show it. */
export interface ZonedTime {
  /** ISO 8601 with the zone's offset at that moment, such as `2026-03-01T13:05:00+01:00`. */
  readonly time: string;
  readonly weekday: string;
  /** The IANA name. */
  readonly time_zone: string;
  /** The same moment in UTC. */
  readonly utc: string;
}

/** Whether the system knows a time zone of that name. */
export function isTimeZone(zone: string): boolean {
  try {
    // Offsets such as "+02:00" are zones to newer engines only, and name no place.
    return zone.length <= 64 && /^[A-Za-z]/.test(zone) && new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

/** @throws RangeError for a zone that the system does not know */
export function zonedTime(moment: Date, zone: string): ZonedTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  });
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const at = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const offset = at('timeZoneName').replace('GMT', '') || '+00:00';
  return {
    time: `${at('year')}-${at('month')}-${at('day')}T${at('hour')}:${at('minute')}:${at('second')}${offset}`,
    weekday: at('weekday'),
    time_zone: format.resolvedOptions().timeZone,
    utc: moment.toISOString(),
  };
}

import { Ctx } from '../../decorators/ctx';
import { Param } from '../../decorators/param';
import { Tool } from '../../decorators/tool';
import { Toolset } from '../../decorators/toolset';
import { ToolRetry } from '../../errors/tool-error';
import { UsageError } from '../../errors/usage-error';
import { ToolContext } from '../../tools/tool-context';
import { classWith, settingsOf } from '../class-settings';
import { isTimeZone, zonedTime } from './zoned-time';

interface DateTimeSettings {
  readonly zone: string;
}

/** One tool that tells the time, in any time zone. Its clock is the runner's, so tests and replays see the time that they set. */
@Toolset({ tags: ['time'], annotations: { readOnly: true, openWorld: false } })
export class DateTimeTools {
  private readonly zone: string;

  constructor() {
    this.zone = settingsOf<DateTimeSettings>(new.target)?.zone ?? 'UTC';
  }

  /**
   * The toolset with another time zone where the model names none; UTC by default.
   * @param zone an IANA name
   * @throws UsageError for a zone that the system does not know
   * @example toolsets: [DateTimeTools.in('Europe/Oslo')]
   */
  static in(zone: string): typeof DateTimeTools {
    if (!isTimeZone(zone)) throw new UsageError(`There is no time zone ${JSON.stringify(zone)}. Write DateTimeTools.in('Europe/Oslo').`);
    return classWith(this, { zone } satisfies DateTimeSettings);
  }

  @Tool('The date and time now, with the day of the week, in a time zone.')
  currentTime(
    @Param('time_zone', { type: String, description: 'IANA name, such as "Europe/Oslo"', optional: true, aliases: ['timezone', 'zone'] })
    zone: string | undefined,
    @Ctx() context: ToolContext,
  ) {
    const wanted = zone ?? this.zone;
    if (!isTimeZone(wanted))
      throw new ToolRetry('There is no such time zone. Give an IANA name such as "Europe/Oslo", "America/New_York" or "UTC".');
    return zonedTime(context.timestamp, wanted);
  }
}

import { Ctx } from '../../decorators/ctx';
import { Param } from '../../decorators/param';
import { Tool } from '../../decorators/tool';
import { Toolset } from '../../decorators/toolset';
import { aBoolean, checkedOptions, isRecord, milliseconds, type OptionRules } from '../../errors/option-check';
import { ToolRetry } from '../../errors/tool-error';
import { UsageError } from '../../errors/usage-error';
import { ToolContext } from '../../tools/tool-context';
import { arrayOf } from '../../types/type-spec';
import { checkHealth, type HealthCheck } from './health-check';

/** How long checks may take, and what is told of their errors. */
export interface HealthOptions {
  /** Milliseconds that one check may take. 5 000 by default. */
  readonly timeout?: number;
  /** Whether the model reads the texts of errors, which may hold addresses and passwords. `false` by default. */
  readonly exposeErrors?: boolean;
}

const RULES: OptionRules = new Map([
  ['timeout', milliseconds],
  ['exposeErrors', aBoolean],
]);

/**
 * One tool that asks services how they are, for agents that look after them. Extend it, and take the services in the constructor.
 *
 * @example `@Toolset() class ShopHealth extends HealthTools { constructor(db: Db) { super({ db: () => db.ping() }); } }`
 */
@Toolset({ tags: ['health'], annotations: { readOnly: true, openWorld: false } })
export abstract class HealthTools {
  private readonly checks: ReadonlyMap<string, HealthCheck>;
  private readonly options: Required<HealthOptions>;

  /**
   * @param checks by name, as the model sees them; each is asked anew for each call
   * @throws UsageError where there is none, or one is no function
   */
  constructor(checks: { readonly [name: string]: HealthCheck }, options?: HealthOptions) {
    const entries: [string, unknown][] = isRecord(checks) ? Object.entries(checks) : [];
    if (entries.length === 0 || entries.some(([, check]) => typeof check !== 'function'))
      throw new UsageError('HealthTools needs checks. Write super({ database: () => database.ping() }).');
    this.checks = new Map(entries as [string, HealthCheck][]);
    const { timeout = 5_000, exposeErrors = false } = checkedOptions(options, RULES, 'HealthTools');
    this.options = { timeout, exposeErrors };
  }

  @Tool({ description: 'Ask services whether they are up, and how long they take to answer.', timeout: null, polling: true })
  async checkHealth(
    @Param('services', { type: arrayOf(String), description: 'Their names; all of them if left out', optional: true, aliases: ['names'] })
    services: string[] | undefined,
    @Ctx() context: ToolContext,
  ) {
    const names = services === undefined || services.length === 0 ? [...this.checks.keys()] : [...new Set(services)];
    const unknown = names.filter((name) => !this.checks.has(name));
    if (unknown.length > 0)
      throw new ToolRetry(
        `There is no check for ${unknown.map((name) => JSON.stringify(name)).join(', ')}. There are: ${[...this.checks.keys()].join(', ')}.`,
      );
    const asked = names.map((name) => checkHealth(name, this.checks.get(name) as HealthCheck, { ...this.options, signal: context.signal }));
    const checked = await Promise.all(asked);
    return { all_up: checked.every(({ status }) => status === 'up'), services: checked };
  }
}

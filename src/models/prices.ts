import { checkedOptions, rule, rulesOf } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import type { ModelUsage } from './model';

/** Prices of a model, in US dollars per million tokens. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  /** Of input tokens that came from the provider's cache; the price of input by default. */
  readonly cachedInput?: number;
}

const aPrice = rule(
  'dollars per million tokens: a number, 0 or more',
  '0.25',
  (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
);
const RULES = rulesOf<ModelPrices>({ input: aPrice, output: aPrice, cachedInput: aPrice });

const prices = new Map<string, ModelPrices>();

/**
 * Tells what models cost, so that runs report and limit their costs. Prices are not shipped: they change.
 * @param table by the model's full name; dollars per million tokens
 * @throws UsageError for a price that is not a number from 0 up
 * @example registerPrices({ 'openai:gpt-5-mini': { input: 0.25, cachedInput: 0.025, output: 2 } });
 */
export function registerPrices(table: { readonly [model: string]: ModelPrices }): void {
  for (const [model, price] of Object.entries(table)) {
    const where = `registerPrices: ${JSON.stringify(model)}`;
    const { input, output, cachedInput } = checkedOptions<Partial<ModelPrices>>(price, RULES, where);
    if (input === undefined || output === undefined) throw new UsageError(`${where} needs both \`input\` and \`output\`.`);
    prices.set(model, { input, output, ...(cachedInput !== undefined && { cachedInput }) });
  }
}

/** What a request cost in US dollars: as the provider said, else by its registered prices; `undefined` while either is unknown, never 0. */
export function costOf(model: string, usage: ModelUsage): number | undefined {
  if (usage.costUsd !== undefined) return usage.costUsd;
  const price = prices.get(model);
  if (price === undefined || usage.inputTokens === undefined || usage.outputTokens === undefined) return undefined;
  const cached = Math.min(usage.cachedTokens ?? 0, usage.inputTokens);
  const input = (usage.inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (input + usage.outputTokens * price.output) / 1_000_000;
}

/** Usage with its cost, where that is known. */
export function pricedUsage(model: string, usage: ModelUsage): ModelUsage {
  const costUsd = costOf(model, usage);
  return costUsd === undefined ? usage : { ...usage, costUsd };
}

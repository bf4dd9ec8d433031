import type { ModelUsage, UsageKind } from '../agent/model-usage.js';

/** Prices of what models use, by unit. */
export const modelUnits = [
  'perMillionInputTokens',
  'perMillionCachedInputTokens',
  'perMillionOutputTokens',
  'perThousandCharacters',
  'perMinute',
] as const;
export type ModelUnit = (typeof modelUnits)[number];

/**
 * Prices of models; amounts in millionths of the currency, null: nothing is charged by this unit. The most specific counts, as
 * `price_model_usage` (db/migrations/0149-prices-of-models.sql) chooses it: model, provider, kind.
 */
export interface ModelPrice extends Readonly<Record<ModelUnit, number | null>> {
  /** null: any. */
  readonly provider: string | null;
  /** Slug after the provider; null: any. */
  readonly model: string | null;
  readonly kind: UsageKind | null;
}

/** The price of what a model is used for, by the rule of `ModelPrice`; null: none fits. */
function priceOfModel(
  prices: readonly ModelPrice[],
  { model, kind }: Pick<ModelUsage, 'model' | 'kind'>,
): ModelPrice | null {
  const [provider, ...slug] = model.split('/');
  const fits = (price: ModelPrice): boolean =>
    (price.provider === null || price.provider === provider) &&
    (price.model === null || price.model === slug.join('/')) &&
    (price.kind === null || price.kind === kind);
  const named = ({ provider: some, model: one, kind: use }: ModelPrice): number =>
    (some === null ? 0 : 4) + (one === null ? 0 : 2) + (use === null ? 0 : 1);
  return prices
    .filter(fits)
    .reduce<ModelPrice | null>((best, price) => (best === null || named(price) > named(best) ? price : best), null);
}

/** What usage costs by these prices, in millionths, fractions included; what has no price costs nothing. */
export function costOfUsage(prices: readonly ModelPrice[], used: readonly ModelUsage[]): number {
  return used.reduce((sum, usage) => {
    const price = priceOfModel(prices, usage);
    if (price === null) return sum;
    const input = price.perMillionInputTokens ?? 0;
    const tokens =
      (usage.inputTokens - usage.cachedInputTokens) * input +
      usage.cachedInputTokens * (price.perMillionCachedInputTokens ?? input) +
      usage.outputTokens * (price.perMillionOutputTokens ?? 0);
    return (
      sum +
      tokens / 1_000_000 +
      (usage.characters * (price.perThousandCharacters ?? 0)) / 1_000 +
      (usage.audioSeconds * (price.perMinute ?? 0)) / 60
    );
  }, 0);
}

import type { UsageKind } from '../agent/model-usage.js';

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

import { z } from 'zod';
import type { StoredPrices } from '../../db/queries/accounts/prices.js';
import type { CallPrice } from '../../domain/account/call-price.js';
import { type ModelPrice, type ModelUnit, modelUnits } from '../../domain/account/model-price.js';
import { amountOf, isCurrency, microsOf, priceProblem } from '../../domain/account/money.js';
import { modelProviders } from '../../domain/agent/model-catalog.js';
import { usageKinds } from '../../domain/agent/model-usage.js';
import type { Problem } from '../../domain/errors.js';
import { isObject, property } from '../../domain/input/json-value.js';
import { isDialedCountry } from '../../domain/phone/number-kind.js';
import { instant } from '../fields.js';
import { readOnly } from '../read-only.js';

/** Every country by some twenty gateways. */
const mostCallPrices = 5_000;
const mostModelPrices = 1_000;

const texts = {
  currency: 'ISO 4217, of all prices and costs. It cannot be changed once a call has been priced',
  gatewayId: 'Omitted: any outbound gateway. Inbound calls need a price that names their gateway',
  country: 'Of the other end: ISO 3166-1 alpha-2, or 001 for numbers of no country. Omitted: any',
  perMinute: 'With at most 6 decimal places',
  incrementSeconds: 'Conversations are charged in steps of it. Omitted: 1',
  minimumSeconds: 'Least that is charged. Omitted: one increment',
  calls: 'The most specific counts: gateway and country, gateway, country, any',
  models: 'The most specific counts: by provider, model, kind',
};

const seconds = z.int().min(1).max(3_600);

const price = () =>
  z.number().superRefine((value, context) => {
    const problem = priceProblem(value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

const CallPriceInput = z
  .strictObject({
    gatewayId: z.string().optional().describe(texts.gatewayId),
    country: z
      .string()
      .refine(isDialedCountry, {
        error: 'must be an ISO 3166-1 country code such as IN, or 001 for numbers that belong to no country',
      })
      .optional()
      .describe(texts.country),
    perMinute: price().describe(texts.perMinute),
    incrementSeconds: seconds.optional().describe(texts.incrementSeconds),
    minimumSeconds: seconds.optional().describe(texts.minimumSeconds),
  })
  .meta({ id: 'PutCallPrice' });

type Sent = z.output<typeof CallPriceInput>;

const providers: ReadonlySet<string> = new Set(modelProviders.map(({ id }) => id));
const unitPrice = () => price().optional();

const ModelPriceBody = z
  .strictObject({
    provider: z
      .string()
      .refine((id) => providers.has(id), { error: `must be a provider: ${[...providers].join(', ')}` })
      .optional()
      .describe('Omitted: any'),
    model: z.string().min(1).max(200).optional().describe('Slug after the provider. Omitted: any'),
    kind: z.enum(usageKinds).optional().describe('Omitted: any'),
    perMillionInputTokens: unitPrice().describe('To 6 decimal places'),
    perMillionCachedInputTokens: unitPrice().describe('Omitted: as input'),
    perMillionOutputTokens: unitPrice().describe('As above'),
    perThousandCharacters: unitPrice().describe('Made into speech'),
    perMinute: unitPrice().describe('Of sound, heard or made'),
  })
  .meta({ id: 'ModelPrice' });

/** Prices of a list, valid or not, that are for the same as one before them. */
function repeatedIn(body: unknown, list: 'calls' | 'models', most: number, fields: readonly string[]): Problem[] {
  const prices = property(body, list);
  if (!Array.isArray(prices)) return [];
  const seen = new Map<string, number>();
  return prices.slice(0, most).flatMap((price: unknown, index): Problem[] => {
    const key = JSON.stringify(fields.map((field) => property(price, field)));
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return first === undefined
      ? []
      : [{ path: `${list}[${index}]`, code: 'INVALID_VALUE', message: `is for the same ${list} as ${list}[${first}]` }];
  });
}

/** Prices of models, valid or not, that lack a field beside others. */
function incompleteModelPrices(body: unknown): Problem[] {
  const prices = property(body, 'models');
  if (!Array.isArray(prices)) return [];
  return prices.slice(0, mostModelPrices).flatMap((sent: unknown, index): Problem[] => {
    if (!isObject(sent)) return [];
    const path = `models[${index}]`;
    const problems: Problem[] = [];
    if (sent.model !== undefined && sent.provider === undefined) {
      problems.push({ path: `${path}.provider`, code: 'INVALID_VALUE', message: 'is required beside a model' });
    }
    if (modelUnits.every((unit) => sent[unit] === undefined)) {
      problems.push({ path, code: 'INVALID_VALUE', message: `needs a price: ${modelUnits.join(', ')}` });
    }
    return problems;
  });
}

/** What is wrong with the prices of any body, valid or not, beside single fields: so that one answer has all of it. */
export const problemsOfPrices = (body: unknown): Problem[] => [
  ...incompleteModelPrices(body),
  ...repeatedIn(body, 'calls', mostCallPrices, ['gatewayId', 'country']),
  ...repeatedIn(body, 'models', mostModelPrices, ['provider', 'model', 'kind']),
];

const examplePrices = {
  currency: 'USD',
  calls: [{ perMinute: 0.02 }, { country: 'IN', perMinute: 0.0085, incrementSeconds: 30 }],
};

/** What PUT takes. */
export const PutPrices = z
  .strictObject({
    currency: z
      .string()
      .refine(isCurrency, { error: 'must be an ISO 4217 currency code such as USD' })
      .describe(texts.currency),
    calls: z.array(CallPriceInput).max(mostCallPrices).default([]).describe(texts.calls),
    models: z.array(ModelPriceBody).max(mostModelPrices).optional().describe(`${texts.models}. Omitted: as before`),
    updatedAt: readOnly(),
  })
  .meta({ id: 'PutAccountPrices', examples: [examplePrices] });

const CallPriceAnswer = z
  .strictObject({
    gatewayId: z.string().optional().describe('Omitted: any outbound one'),
    country: z.string().optional().describe('Of the other end. Omitted: any'),
    perMinute: z.number().describe('In the currency'),
    incrementSeconds: z.int().describe('Steps of what is charged'),
    minimumSeconds: z.int().describe('Least that is charged'),
  })
  .meta({ id: 'CallPrice' });

/** What GET and PUT answer. */
export const PricesBody = z
  .strictObject({
    currency: z.string().optional().describe('Omitted while no prices were set'),
    calls: z.array(CallPriceAnswer).describe('The most specific counts'),
    models: z.array(ModelPriceBody).optional().describe('The most specific counts'),
    updatedAt: instant().optional().describe('When the prices were set'),
  })
  .meta({
    id: 'AccountPrices',
    examples: [
      {
        currency: 'USD',
        calls: [{ country: 'IN', perMinute: 0.0085, incrementSeconds: 30, minimumSeconds: 30 }],
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });

export const storedCallPrice = ({ gatewayId, country, ...sent }: Sent): CallPrice => {
  const incrementSeconds = sent.incrementSeconds ?? 1;
  return {
    gatewayId: gatewayId ?? null,
    country: country ?? null,
    perMinuteMicros: microsOf(sent.perMinute),
    incrementSeconds,
    minimumSeconds: sent.minimumSeconds ?? incrementSeconds,
  };
};

const callPriceBody = ({ gatewayId, country, perMinuteMicros, incrementSeconds, minimumSeconds }: CallPrice) => ({
  ...(gatewayId === null ? {} : { gatewayId }),
  ...(country === null ? {} : { country }),
  perMinute: amountOf(perMinuteMicros),
  incrementSeconds,
  minimumSeconds,
});

export const storedModelPrice = (sent: z.output<typeof ModelPriceBody>): ModelPrice => {
  const micros = (unit: ModelUnit): number | null => (sent[unit] === undefined ? null : microsOf(sent[unit]));
  return {
    provider: sent.provider ?? null,
    model: sent.model ?? null,
    kind: sent.kind ?? null,
    perMillionInputTokens: micros('perMillionInputTokens'),
    perMillionCachedInputTokens: micros('perMillionCachedInputTokens'),
    perMillionOutputTokens: micros('perMillionOutputTokens'),
    perThousandCharacters: micros('perThousandCharacters'),
    perMinute: micros('perMinute'),
  };
};

const modelPriceBody = ({ provider, model, kind, ...prices }: ModelPrice): z.output<typeof ModelPriceBody> => ({
  ...(provider === null ? {} : { provider }),
  ...(model === null ? {} : { model }),
  ...(kind === null ? {} : { kind }),
  ...Object.fromEntries(
    modelUnits.flatMap((unit) => (prices[unit] === null ? [] : [[unit, amountOf(prices[unit])] as const])),
  ),
});

export const pricesBody = (stored: StoredPrices | null): z.output<typeof PricesBody> =>
  stored === null
    ? { calls: [] }
    : {
        currency: stored.currency,
        calls: stored.calls.map(callPriceBody),
        ...(stored.models.length === 0 ? {} : { models: stored.models.map(modelPriceBody) }),
        updatedAt: stored.updatedAt.toISOString(),
      };

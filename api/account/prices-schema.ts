import { z } from 'zod';
import type { CallPrice, StoredPrices } from '../../db/queries/accounts/prices.js';
import { amountOf, isCurrency, microsOf, priceProblem } from '../../domain/account/money.js';
import type { Problem } from '../../domain/errors.js';
import { property } from '../../domain/input/json-value.js';
import { isDialedCountry } from '../../domain/phone/number-kind.js';
import { instant } from '../fields.js';
import { readOnly } from '../read-only.js';

/** Every country by some twenty gateways. */
const mostCallPrices = 5_000;

const texts = {
  currency: 'ISO 4217, of all prices and costs. It cannot be changed once a call has been priced',
  gatewayId: 'Omitted: any outbound gateway. Inbound calls need a price that names their gateway',
  country: 'Of the other end: ISO 3166-1 alpha-2, or 001 for numbers of no country. Omitted: any',
  perMinute: 'With at most 6 decimal places',
  incrementSeconds: 'Conversations are charged in steps of it. Omitted: 1',
  minimumSeconds: 'Least that is charged. Omitted: one increment',
  calls: 'The most specific counts: gateway and country, gateway, country, any',
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

/** Prices of any body, valid or not, that are for the same calls as one before them. */
export function repeatedPrices(body: unknown): Problem[] {
  const prices = property(body, 'calls');
  if (!Array.isArray(prices)) return [];
  const seen = new Map<string, number>();
  return prices.slice(0, mostCallPrices).flatMap((price: unknown, index): Problem[] => {
    const key = JSON.stringify([property(price, 'gatewayId'), property(price, 'country')]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return first === undefined
      ? []
      : [{ path: `calls[${index}]`, code: 'INVALID_VALUE', message: `is for the same calls as calls[${first}]` }];
  });
}

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
    updatedAt: readOnly(),
  })
  .meta({ id: 'PutAccountPrices', examples: [examplePrices] });

const CallPriceAnswer = z
  .strictObject({
    gatewayId: z.string().optional().describe(texts.gatewayId),
    country: z.string().optional().describe(texts.country),
    perMinute: z.number().describe(texts.perMinute),
    incrementSeconds: z.int().describe(texts.incrementSeconds),
    minimumSeconds: z.int().describe(texts.minimumSeconds),
  })
  .meta({ id: 'CallPrice' });

/** What GET and PUT answer. */
export const PricesBody = z
  .strictObject({
    currency: z.string().optional().describe('Omitted while no prices were set'),
    calls: z.array(CallPriceAnswer).describe(texts.calls),
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

export const pricesBody = (stored: StoredPrices | null): z.output<typeof PricesBody> =>
  stored === null
    ? { calls: [] }
    : {
        currency: stored.currency,
        calls: stored.calls.map(callPriceBody),
        updatedAt: stored.updatedAt.toISOString(),
      };

import { describe, expect, test } from 'vitest';
import { type CostFacts, costEstimate, noModelsSoFar } from '../../../domain/batch/cost-estimate.js';
import { priceFor } from '../../../domain/account/call-price.js';

const price = { gatewayId: null, country: null, perMinuteMicros: 60_000, incrementSeconds: 1, minimumSeconds: 1 };
const facts: CostFacts = {
  prices: [price],
  modelPrices: [],
  modelsSoFar: noModelsSoFar,
  ...{ gatewayId: 'gwo_1', calls: 1_000, countries: new Map([['US', 1_000]]), retry: null, maxCost: null },
  soFar: { attempts: 0, answered: 0, talkSeconds: 0 },
};
const known = { attempts: 1_000, answered: 300, talkSeconds: 300 * 59.5 };

describe('what the calls of a batch are likely to cost', () => {
  // shows: batches.validate.cost
  test('goes by the last attempts of the agent if there are enough, within what so many can tell', () => {
    const { low, high, withoutPrice, basis } = costEstimate({ ...facts, soFar: known });
    // 1,000 calls of a minute at 0.06, of which 30 of 100 are answered, more or less.
    expect(low).toBeCloseTo(0.06 * 1_000 * 0.2724, 2);
    expect(high).toBeCloseTo(0.06 * 1_000 * 0.3291, 2);
    expect(withoutPrice).toBe(0);
    expect(basis).toContain('27 to 33 of 100 attempts answered, for 60 s each, as the last 1000 attempts');
  });

  test('more attempts tell more: the range is narrower, and holds the share that was', () => {
    const rangeOf = (attempts: number) => {
      const soFar = { attempts, answered: attempts * 0.3, talkSeconds: attempts * 0.3 * 59.5 };
      return costEstimate({ ...facts, soFar });
    };
    const [few, many] = [rangeOf(100), rangeOf(100_000)];
    expect(few.low).toBeLessThan(many.low);
    expect(few.high).toBeGreaterThan(many.high);
    expect(many.low).toBeLessThan(18);
    expect(many.high).toBeGreaterThan(18);
  });

  test.each([
    ['49 attempts', { attempts: 49, answered: 40, talkSeconds: 400 }],
    ['9 answers', { attempts: 10_000, answered: 9, talkSeconds: 90 }],
    ['no attempt, and answers of calls that were made again', { attempts: 0, answered: 3, talkSeconds: 9 }],
    ['no attempt', { attempts: 0, answered: 0, talkSeconds: 0 }],
  ])('is an assumption, and says so, with %s', (_what, soFar) => {
    const { low, high, basis } = costEstimate({ ...facts, soFar });
    expect([low, high]).toEqual([6.1, 72.3]);
    expect(basis).toContain('20 to 60 of 100 attempts answered, for 30 to 120 s each, as is assumed');
  });

  test('retries add to the high end what they may add: more callees, or more conversations with each', () => {
    const plain = costEstimate({ ...facts, soFar: known });
    const after = (retryOn: readonly ('missed' | 'voicemail')[]) =>
      costEstimate({ ...facts, soFar: known, retry: { retryOn, retryDelays: [60, 60] } });
    expect(after(['missed']).low).toBe(plain.low);
    expect(after(['missed']).high).toBeCloseTo(60 * (1 - (1 - 0.3291) ** 3), 1);
    expect(after(['voicemail']).high).toBeCloseTo(plain.high * 3, 4);
  });

  test('goes by the price of each country; what has none is counted, and 50,000 numbers stand for all', () => {
    const prices = [
      { ...price, country: 'US' },
      { ...price, country: 'IN', perMinuteMicros: 6_000 },
    ];
    const countries = new Map([
      ['US', 10_000],
      ['IN', 30_000],
      ['GB', 10_000],
    ]);
    const soFar = { attempts: 1e9, answered: 1e9, talkSeconds: 59.5e9 };
    const { low, high, withoutPrice } = costEstimate({ ...facts, prices, countries, calls: 100_000, soFar });
    expect(low).toBeCloseTo(20_000 * 0.06 + 60_000 * 0.006, 3);
    expect(high).toBeCloseTo(low, 3);
    expect(withoutPrice).toBe(20_000);
  });

  test('counts at least the minimum, and half an increment that is lost by rounding up', () => {
    const soFar = { attempts: 1e9, answered: 1e9, talkSeconds: 20e9 };
    const of = (change: object) =>
      costEstimate({ ...facts, calls: 1, countries: new Map([['US', 1]]), soFar, prices: [{ ...price, ...change }] })
        .high;
    expect(of({ incrementSeconds: 30 })).toBeCloseTo(0.035, 5);
    expect(of({ minimumSeconds: 60 })).toBeCloseTo(0.06, 5);
  });

  test('holds what models cost by the talk of conversations before, of numbers without a price for minutes, too', () => {
    const unused = { perMillionCachedInputTokens: null, perMillionOutputTokens: null, perMinute: null };
    const modelPrices = [
      {
        ...unused,
        provider: 'openai',
        model: null,
        kind: null,
        perMillionInputTokens: 2_000_000,
        perThousandCharacters: null,
      },
      {
        ...unused,
        provider: null,
        model: null,
        kind: 'tts' as const,
        perMillionInputTokens: null,
        perThousandCharacters: 10_000,
      },
    ];
    const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, audioSeconds: 0, characters: 0 };
    // 3 for tokens and 1 for characters in 100 minutes: 0.04 a minute.
    const used = [
      {
        ...none,
        kind: 'llm' as const,
        model: 'openai/gpt',
        inputTokens: 1_000_000,
        cachedInputTokens: 400_000,
        outputTokens: 9,
      },
      { ...none, kind: 'llm' as const, model: 'openai/gpt-mini', inputTokens: 500_000 },
      { ...none, kind: 'tts' as const, model: 'cartesia/sonic', characters: 100_000 },
      { ...none, kind: 'stt' as const, model: 'deepgram/nova', audioSeconds: 6_000 },
    ];
    const soFar = { attempts: 1e9, answered: 1e9, talkSeconds: 60e9 };
    const of = (conversations: number) =>
      costEstimate({
        ...facts,
        prices: [],
        soFar,
        modelPrices,
        modelsSoFar: { conversations, talkSeconds: 6_000, used },
      });
    expect(of(10)).toMatchObject({
      withoutPrice: 1_000,
      basis: expect.stringContaining('Models cost 0.04 a minute, as in 10 conv') as unknown,
    });
    expect(of(10).high).toBeCloseTo(40, 3);
    expect(of(9)).toMatchObject({ high: 0, basis: expect.stringContaining('What models use is not in it') as unknown });
  });

  test('is nothing for nobody, and says if the batch would stop before', () => {
    expect(costEstimate({ ...facts, calls: 0, countries: new Map() })).toMatchObject({
      low: 0,
      high: 0,
      withoutPrice: 0,
    });
    expect(costEstimate({ ...facts, maxCost: 10 }).basis).toContain('It stops when it has cost 10.');
    expect(costEstimate({ ...facts, maxCost: 100 }).basis).not.toContain('stops');
  });
});

test('the most specific price counts: gateway and country, gateway, country, any', () => {
  const prices = [
    { ...price, perMinuteMicros: 1 },
    { ...price, perMinuteMicros: 2, country: 'US' },
    { ...price, perMinuteMicros: 3, gatewayId: 'gwo_1' },
    { ...price, perMinuteMicros: 4, gatewayId: 'gwo_1', country: 'US' },
  ];
  const of = (gatewayId: string, country: string) => priceFor(prices, gatewayId, country)?.perMinuteMicros;
  expect([of('gwo_1', 'US'), of('gwo_1', 'IN'), of('gwo_2', 'US'), of('gwo_2', 'IN')]).toEqual([4, 3, 2, 1]);
  expect(priceFor(prices.slice(1), 'gwo_2', 'IN')).toBeNull();
});

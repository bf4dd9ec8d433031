import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockPrices, putPrices } from '../../../db/queries/accounts/prices.js';
import { findBatchStats } from '../../../db/queries/batches/batches.js';
import { modelUsageOfCalls, storeModelUsage } from '../../../db/queries/calls/model-usage.js';
import { foldFigures } from '../../../db/queries/dialer/fold-figures.js';
import type { ModelPrice } from '../../../domain/account/model-price.js';
import type { ModelUsage } from '../../../domain/agent/model-usage.js';
import { controlledCalls, talker, thirty, type ControlledCalls } from './controlled-calls.js';
import { until, type DialerTestEnv } from './test-env.js';

let calls: ControlledCalls;
let testEnv: DialerTestEnv;
let batchId: string;
beforeEach(async () => {
  calls = await controlledCalls();
  ({ testEnv } = calls);
  batchId = await testEnv.batch(calls.gateway);
  await testEnv.dialer();
});
afterEach(() => testEnv.close());
const db = () => testEnv.database.db;

const none: ModelPrice = {
  ...{ provider: null, model: null, kind: null, perMillionInputTokens: null, perMillionCachedInputTokens: null },
  ...{ perMillionOutputTokens: null, perThousandCharacters: null, perMinute: null },
};
const unused = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, audioSeconds: 0, characters: 0 };
const llm = (inputTokens: number, outputTokens = 0, model = 'openai/gpt-4.1'): ModelUsage => ({
  ...unused,
  ...{ kind: 'llm', model, inputTokens, outputTokens },
});

/** Of a minute of any call one whole, in millionths; of models these. */
const setPrices = (models: readonly Partial<ModelPrice>[], perMinuteMicros = 1_000_000) =>
  db()
    .transaction()
    .execute(async (tx) => {
      const call = { gatewayId: null, country: null, perMinuteMicros, incrementSeconds: 60, minimumSeconds: 60 };
      await lockPrices(tx, testEnv.accountId, 'USD');
      await putPrices(tx, testEnv.accountId, {
        ...{ currency: 'USD', calls: [call], models: models.map((price) => ({ ...none, ...price })) },
      });
    });
const uses = (callId: string, source: string, ...used: ModelUsage[]) =>
  storeModelUsage(db(), { accountId: testEnv.accountId, callId, source }, used);
const costOf = async (callId: string) =>
  (await calls.rowsOf<{ cost: string | null }>('select cost from call_attempts where call_id = $1', [callId]))[0]?.cost;
const costOfBatch = async () => (await findBatchStats(db(), testEnv.accountId, batchId))?.cost?.costMicros;
const isClean = async () => expect(await calls.wrongFigures(batchId)).toEqual([]);

// shows: prices.models
test('what models use is in the cost of the attempt and of the batch, while the call goes on and after its end, once', async () => {
  await setPrices([
    { perMillionInputTokens: 2_000_000, perMillionCachedInputTokens: 500_000, perMillionOutputTokens: 8_000_000 },
    { kind: 'tts', perThousandCharacters: 30_000 },
    { kind: 'stt', perMinute: 6_000 },
  ]);
  const id = await calls.aCall(talker, 'answered', batchId);
  await uses(id, '1/AJ_1', { ...llm(1_000, 100), cachedInputTokens: 400 });
  expect(await costOf(id)).toBe(String(600 * 2 + 200 + 800));
  const spoken: ModelUsage = {
    ...unused,
    kind: 'tts',
    model: 'elevenlabs/eleven_v3',
    characters: 500,
    audioSeconds: 30,
  };
  const heard: ModelUsage = { ...unused, kind: 'stt', model: 'deepgram/nova-3', audioSeconds: 90.5 };
  const more = () => uses(id, '1/AJ_1', { ...llm(2_000, 100), cachedInputTokens: 400 }, spoken, heard);
  await more();
  await more();
  const live = 1_600 * 2 + 200 + 800 + 15_000 + 9_050;
  expect(await costOf(id)).toBe(String(live));
  await calls.endWhole(id);
  expect(await costOf(id)).toBe(String(live + 1_000_000));
  expect(await costOfBatch()).toBe(String(live + 1_000_000));
  await isClean();
  const afterwards = async () => {
    await uses(id, '1/AJ_1', { ...llm(2_500, 100), cachedInputTokens: 400 });
    await uses(id, 'analysis/1/first', llm(1_000));
    await uses(id, 'summary', llm(500));
  };
  await afterwards();
  await afterwards();
  const late = 500 * 2 + 1_000 * 2 + 500 * 2;
  expect(await costOf(id)).toBe(String(live + 1_000_000 + late));
  expect(await costOfBatch()).toBe(String(live + 1_000_000 + late));
  await foldFigures(db());
  expect(await costOfBatch()).toBe(String(live + 1_000_000 + late));
  await isClean();
  const used = (await modelUsageOfCalls(db(), testEnv.accountId, [id])).get(id);
  expect(used?.reduce((sum, { costMicros }) => sum + Number(costMicros), 0)).toBe(live + late);
});

test('the most specific price counts, each part by the prices of its instant; what none fits costs nothing, and fractions add up', async () => {
  await setPrices([
    { perMillionInputTokens: 1_000_000 },
    { provider: 'openai', perMillionInputTokens: 2_000_000 },
    { provider: 'openai', kind: 'realtime', perMillionInputTokens: 3_000_000 },
    { provider: 'groq', model: 'openai/gpt-oss-20b', perMillionInputTokens: 400_000 },
    { provider: 'custom', perMinute: 1 },
  ]);
  const id = await calls.aCall(talker, 'answered', batchId);
  const after = async (source: string, ...used: ModelUsage[]) => {
    const before = Number((await costOf(id)) ?? 0);
    await uses(id, source, ...used);
    return Number(await costOf(id)) - before;
  };
  expect(await after('1/a', llm(1_000, 9_000, 'anthropic/claude-haiku-4-5'))).toBe(1_000);
  expect(await after('1/b', llm(1_000))).toBe(2_000);
  expect(await after('1/c', { ...llm(1_000), kind: 'realtime' })).toBe(3_000);
  expect(await after('1/d', llm(10, 0, 'groq/openai/gpt-oss-20b'))).toBe(4);
  // 0.4 of a millionth for each: no write is rounded by itself.
  for (const tokens of [11, 12, 13, 14, 15]) await uses(id, '1/d', llm(tokens, 0, 'groq/openai/gpt-oss-20b'));
  expect(await after('1/d', llm(20, 0, 'groq/openai/gpt-oss-20b'))).toBe(2);
  await setPrices([{ provider: 'openai', perMillionInputTokens: 10_000_000 }]);
  expect(await after('1/b', llm(1_500))).toBe(5_000);
  expect(await after('1/a', llm(2_000, 9_000, 'anthropic/claude-haiku-4-5'))).toBe(0);
  expect(await after('1/e', llm(2_000, 0, 'anthropic/claude-opus-4-5'))).toBe(0);
  await calls.endWhole(id);
  await isClean();
});

test('usage that is stored while calls end, from both sides at once, is counted once', async () => {
  await setPrices([{ perMillionInputTokens: 1_000_000 }]);
  const ids = await testEnv.calls(calls.gateway, batchId, thirty);
  for (const id of ids) await until(async () => (await calls.phaseOf(id)) === 'answered');
  await Promise.all(
    ids.map(async (id, place) => {
      const writing = (async () => {
        for (let tokens = 100; tokens <= 1_000; tokens += 100) {
          await uses(id, '1/a', llm(tokens), { ...llm(tokens), kind: 'realtime' });
        }
      })();
      if (place % 3 === 0) await uses(id, '1/b', llm(7));
      await Promise.all([writing, calls.endWhole(id), uses(id, 'summary', llm(50))]);
    }),
  );
  const expected = ids.length * (1_000_000 + 2_000 + 50) + 10 * 7;
  await until(async () => (await costOfBatch()) === String(expected));
  await foldFigures(db());
  expect(await costOfBatch()).toBe(String(expected));
  await isClean();
});

test('an account without prices of models has no costs of them, and one of which a maxCost is reached by late usage calls nobody', async () => {
  await setPrices([]);
  const id = await calls.aCall(talker, 'answered', batchId);
  await uses(id, '1/a', llm(1_000));
  expect(await costOf(id)).toBeNull();
  await setPrices([{ perMillionInputTokens: 1_000_000_000 }]);
  await sql`update batches set max_cost = 2000000 where id = ${batchId}`.execute(db());
  await calls.endWhole(id);
  expect(await costOfBatch()).toBe('1000000');
  await uses(id, 'summary', llm(1_000));
  const { rows } = await sql<{ holds: boolean }>`
    select holds_for_stop(account_id, id, stop_at, stop_after_answered, max_cost, clock_timestamp()) as holds
    from batches where id = ${batchId}`.execute(db());
  expect(rows).toEqual([{ holds: true }]);
});

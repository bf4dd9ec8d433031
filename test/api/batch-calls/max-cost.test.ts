import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { anAccount, api, here } from '../support.js';
import { aRoute, csv, fields, multipart, send } from './support.js';

const prices = '/v1/account/prices';
const usd = (calls: object[]) => ({ currency: 'USD', calls });
const any = { perMinute: 1 };

/** An account that can make batch calls and has these prices. */
async function aPayer(calls: object[] | null) {
  const { token, account } = await anAccount('Payer');
  const route = await aRoute({ accountId: account.id });
  const put = (body: object) => api.put(prices, body, { token });
  if (calls !== null) expect((await put(usd(calls))).status).toBe(200);
  const parts = (maxCost: unknown) => [csv(), ...fields({ name: 'A', phoneNumber: route.phoneNumber, maxCost })];
  const create = (maxCost: unknown) => send(parts(maxCost), { token });
  const aBatch = async (maxCost?: unknown): Promise<string> => {
    const created = await (maxCost === undefined
      ? send([csv(), ...fields({ name: 'A', phoneNumber: route.phoneNumber })], { token })
      : create(maxCost));
    expect({ status: created.status, text: created.text }).toMatchObject({ status: 201 });
    return (created.body as { batchId: string }).batchId;
  };
  const get = async (batchId: string) =>
    (await api.get(`/v1/batch-calls/${batchId}`, { token })).body as Record<string, unknown>;
  const patch = (batchId: string, body: object) => api.patch(`/v1/batch-calls/${batchId}`, body, { token });
  const validate = (maxCost: unknown) => {
    const { body, contentType } = multipart(parts(maxCost));
    return api.post('/v1/batch-calls/validate', body, { token, headers: { 'content-type': contentType } });
  };
  const campaign = (maxCost: unknown) =>
    api.post(
      '/v1/campaigns',
      { name: 'C', cron: '0 9 * * *', template: { phoneNumber: route.phoneNumber, maxCost } },
      { token },
    );
  return { accountId: account.id, token, route, put, create, aBatch, get, patch, validate, campaign };
}

/** Figures as the end of calls that cost as much would note them. */
const spend = (batchId: string, cost: number) =>
  sql`
    insert into figure_changes (account_id, batch_id, day, calls, attempts, answered, human, machine, success, talk_ms, cost)
    select account_id, id, now()::date, 0, 1, 1, 0, 0, 0, 0, ${cost * 1_000_000}::bigint from batches where id = ${batchId}`.execute(
    here().database.db,
  );

describe('the most that a batch call may cost', () => {
  test('is stored, answered and changed to the millionth, from forms and JSON; null clears it', async () => {
    const { token, route, aBatch, get, patch } = await aPayer([any]);
    const batchId = await aBatch(12.000001);
    const batch = await get(batchId);
    expect(batch).toMatchObject({ maxCost: 12.000001 });
    expect((await patch(batchId, batch)).body).toEqual(batch);
    const json = {
      ...{ name: 'B', phoneNumber: route.phoneNumber, maxCost: 0.000001 },
      recipients: [{ phoneNumber: '+919877012345' }],
    };
    const made = await api.post('/v1/batch-calls', json, { token });
    expect(await get((made.body as { batchId: string }).batchId)).toMatchObject({ maxCost: 0.000001 });
    expect((await patch(batchId, { maxCost: 999_999_999.999999 })).body).toMatchObject({ maxCost: 999_999_999.999999 });
    expect((await patch(batchId, { maxCost: null })).body).not.toHaveProperty('maxCost');
  });

  // shows: batch.create.max-cost
  test.each([
    ['no prices', null, /needs prices of calls/],
    ['an empty list of prices', [], /needs a price of calls by gateway gwo_/],
  ])('is refused at its field by everything that takes it if the account has %s', async (_what, calls, words) => {
    const { create, validate, campaign, aBatch, patch } = await aPayer(calls);
    for (const answer of [
      await create(5),
      await validate(5),
      await campaign(5),
      await patch(await aBatch(), { maxCost: 5 }),
    ]) {
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('maxCost')]);
      expect(answer.text).toMatch(words);
    }
  });

  test('is refused if only calls of another gateway have a price, and accepted with one for its own or all', async () => {
    const { accountId, route, put, create } = await aPayer(null);
    const { gatewayId: foreign } = await aRoute({ accountId });
    await put(usd([{ gatewayId: foreign, perMinute: 1 }]));
    expect((await create(5)).text).toContain(`needs a price of calls by gateway ${route.gatewayId}`);
    await put(usd([{ gatewayId: route.gatewayId, country: 'US', perMinute: 1 }]));
    expect((await create(5)).status).toBe(201);
  });

  test('that is no amount is refused in JSON and in PATCH, each in its words', async () => {
    const { token, route, aBatch, patch } = await aPayer([any]);
    const batchId = await aBatch();
    for (const [maxCost, words] of [
      [0, 'must be more than 0'],
      [-1, 'must be'],
      [1_000_000_001, 'at most 1000000000'],
      [0.0000001, 'must'],
      ['5', 'must be'],
    ] as const) {
      const json = {
        name: 'B',
        phoneNumber: route.phoneNumber,
        maxCost,
        recipients: [{ phoneNumber: '+919877012345' }],
      };
      for (const answer of [await api.post('/v1/batch-calls', json, { token }), await patch(batchId, { maxCost })]) {
        expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('maxCost')]);
        expect(answer.text).toContain(words);
      }
    }
  });

  // shows: batch.stop.change
  test('stops a running batch call at once if it has cost as much, and says why; somebody else’s spending is none of it', async () => {
    const { aBatch, patch, get } = await aPayer([any]);
    const [batchId, other] = [await aBatch(), await aBatch()];
    await sql`
      with running as (update batches set status = 'running' where id in (${batchId}, ${other}) returning id)
      insert into batch_counters (batch_id) select id from running`.execute(here().database.db);
    await spend(other, 100);
    await spend(batchId, 3);
    expect((await patch(batchId, { maxCost: 3.000001 })).body).toMatchObject({ status: 'running', maxCost: 3.000001 });
    expect((await patch(batchId, { maxCost: 3 })).body).toMatchObject({ status: 'cancelling', stoppedBy: 'maxCost' });
    expect(await get(other)).toMatchObject({ status: 'running' });
  });
});

describe('prices', () => {
  // shows: batch.create.max-cost
  test('keep their currency and one price for the calls of each batch call that has a maxCost, until it is over', async () => {
    const { put, aBatch, patch } = await aPayer([any]);
    const batchId = await aBatch(5);
    const euros = await put({ currency: 'EUR', calls: [any] });
    expect([euros.status, euros.text]).toEqual([409, expect.stringContaining(`${batchId} has a maxCost in USD`)]);
    const gone = await put(usd([]));
    expect([gone.status, gone.text]).toEqual([409, expect.stringContaining(`${batchId} has a maxCost, and no price`)]);
    expect((await put(usd([{ perMinute: 2 }]))).status).toBe(200);
    expect((await patch(batchId, { maxCost: null })).status).toBe(200);
    expect((await put({ currency: 'EUR', calls: [] })).status).toBe(200);
  });

  test('keep their currency as long as a campaign has a maxCost', async () => {
    const { put, campaign, token } = await aPayer([any]);
    const made = await campaign(5);
    expect(made.status).toBe(201);
    const { campaignId } = made.body as { campaignId: string };
    const euros = await put({ currency: 'EUR', calls: [any] });
    expect([euros.status, euros.text]).toEqual([409, expect.stringContaining(campaignId)]);
    expect((await api.delete(`/v1/campaigns/${campaignId}`, { token })).status).toBe(200);
    expect((await put({ currency: 'EUR', calls: [any] })).status).toBe(200);
  });

  test('and a batch call with a maxCost that are sent at once end with a price or without the batch call, never with neither', async () => {
    for (let turn = 0; turn < 6; turn++) {
      const { put, create } = await aPayer([any]);
      const [put1, made] = await Promise.all([put({ currency: 'EUR', calls: [] }), create(5)]);
      expect([
        [200, 400],
        [409, 201],
      ]).toContainEqual([put1.status, made.status]);
    }
  });
});

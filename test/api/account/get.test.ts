import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { accountUsage } from '../../../db/queries/accounts/usage.js';
import { storeModelUsage } from '../../../db/queries/calls/model-usage.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

describe('200', () => {
  const nothing = { calls: 0, attempts: 0, answered: 0, talkSeconds: 0, models: [] };

  // shows: everywhere.times, account.get
  test('a token tells whose it is, what the service takes from it, and that nothing has been used', async () => {
    const other = await anAccount('Another account');

    const mine = await api.get('/v1/account');
    const theirs = await api.get('/v1/account', { token: other.token });

    expect(mine.status).toBe(200);
    expect(mine.body).toEqual({
      accountId: here().me.account.id,
      name: 'Test account',
      limits: {
        requestsPerSecond: 100_000,
        requestBurst: 100_000,
        requestBytes: 1_048_576,
        batchFileBytes: 5_242_880,
        metadataBytes: 16_384,
        promptCharacters: 100_000,
        perPage: 100,
      },
      usage: { today: nothing, thisMonth: nothing, liveCalls: 0, unfinishedBatches: 0, batchFileBytes: 0 },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(theirs.body).toMatchObject({ accountId: other.account.id, name: 'Another account' });
  });

  const unused = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, audioSeconds: 0, characters: 0 };
  const usedModel = (kind: 'llm' | 'tts', model: string, counts: object) => ({ ...unused, kind, model, ...counts });

  const usageOf = async (token: string) => ((await api.get('/v1/account', { token })).body as { usage: object }).usage;

  async function aCall(accountId: string): Promise<string> {
    const id = v7();
    await rowsOf(
      `insert into calls (id, account_id, to_number, from_number, rule_id, gateway_id)
     values ($1, $2, '+919876543210', '+14155550100', 'rule_x', 'gwo_x')`,
      [id, accountId],
    );
    return id;
  }

  // shows: account.get
  test('what is called is counted once, with its retries and the time talked, and stays counted when it is deleted', async () => {
    const { account, token } = await anAccount();
    const [once, twice] = [await aCall(account.id), await aCall(account.id)];
    const others = await aCall((await anAccount()).account.id);
    const ended = (id: string, status: string, attempts: number, talked: number | null) =>
      rowsOf('update calls set status = $2, attempts_made = $3, talk_seconds = $4 where id = $1', [
        ...[id, status, attempts, talked],
      ]);
    await ended(once, 'answered', 1, 12.5);
    await ended(twice, 'retrying', 1, null);
    await ended(twice, 'answered', 2, 30);
    await ended(others, 'answered', 1, 60);
    await rowsOf("update calls set summary = 'Something else' where id = $1", [once]);
    await rowsOf('delete from calls where account_id = $1', [account.id]);

    const used = { calls: 2, attempts: 3, answered: 2, talkSeconds: 42.5 };
    expect(await usageOf(token)).toMatchObject({ today: used, thisMonth: used });
  });

  test('who calls in is not counted as a person called, nor as an attempt, and talks all the same', async () => {
    const { account, token } = await anAccount();
    const [out, inbound] = [await aCall(account.id), await aCall(account.id)];
    await rowsOf("update calls set type = 'inbound' where id = $1", [inbound]);
    await rowsOf(
      "update calls set status = 'answered', attempts_made = 1, talk_seconds = 10 where account_id = $1 and id = any ($2)",
      [account.id, [out, inbound]],
    );
    const used = { calls: 1, attempts: 1, answered: 2, talkSeconds: 20 };
    expect(await usageOf(token)).toMatchObject({ today: used, thisMonth: used });
  });

  test('usage of models is shown as it grows, for today and the month; what is not counted is omitted', async () => {
    const { account, token } = await anAccount();
    const callId = await aCall(account.id);
    const leg = { accountId: account.id, callId, source: '1/AJ_1' };
    const { db } = here().database;
    await storeModelUsage(db, leg, [usedModel('llm', 'openai/one', { inputTokens: 5, outputTokens: 1 })]);
    await storeModelUsage(db, leg, [
      usedModel('llm', 'openai/one', { inputTokens: 30, outputTokens: 4 }),
      usedModel('tts', 'cartesia/voice', { characters: 21, audioSeconds: 1.2345 }),
    ]);
    await rowsOf('insert into model_usage_days (account_id, day, kind, model, part) values ($1, $2, $3, $4, 1)', [
      ...[account.id, '2001-01-01', 'llm', 'openai/old'],
    ]);
    const models = [
      { kind: 'llm', model: 'openai/one', inputTokens: 30, outputTokens: 4 },
      { kind: 'tts', model: 'cartesia/voice', audioSeconds: 1.235, characters: 21 },
    ];
    expect(await usageOf(token)).toMatchObject({ today: { models }, thisMonth: { models } });
  });

  // shows: prices.account
  test('what calls cost today is said once there are prices: outbound and inbound calls, models used later, what had no price', async () => {
    const { account, token } = await anAccount();
    expect(await usageOf(token)).not.toHaveProperty('today.cost');
    const prices = {
      currency: 'EUR',
      calls: [{ country: 'IN', perMinute: 0.5 }],
      models: [{ perMillionInputTokens: 10 }],
    };
    expect((await api.put('/v1/account/prices', prices, { token })).status).toBe(200);
    expect(await usageOf(token)).toMatchObject({ today: { cost: { amount: 0, currency: 'EUR', withoutPrice: 0 } } });

    /** Ends an attempt of a call after a minute of talk. */
    const ended = async (type: 'inbound' | 'outbound', country: string) => {
      const id = await aCall(account.id);
      await rowsOf('update calls set type = $2 where id = $1', [id, type]);
      await rowsOf(
        `insert into call_attempts (call_id, account_id, number, gateway_id, to_number, phase, due_at)
         values ($1, $2, 1, 'gwo_x', '+919876543210', 'queued', now())`,
        [id, account.id],
      );
      await rowsOf(
        `update call_attempts set phase = 'ended', outcome = 'answered', reason = 'callee_hung_up', country = $2, dialed_at = now(),
           answered_at = now(), ended_at = now() + interval '1 minute' where call_id = $1`,
        [id, country],
      );
      return id;
    };
    await ended('outbound', 'IN');
    await ended('outbound', 'GB');
    // Inbound calls have prices that name their gateway, and this account has none: what its models use costs all the same.
    const inbound = await ended('inbound', 'IN');
    await storeModelUsage(here().database.db, { accountId: account.id, callId: inbound, source: '1/run' }, [
      usedModel('llm', 'openai/one', { inputTokens: 25_000 }),
    ]);
    const cost = { amount: 0.75, currency: 'EUR', withoutPrice: 2 };
    expect(await usageOf(token)).toMatchObject({ today: { cost }, thisMonth: { cost } });
  });

  test('days and months are those of UTC', async () => {
    const { account } = await anAccount();
    for (const [day, calls] of [
      ['2031-02-28', 1],
      ['2031-03-01', 10],
      ['2031-03-14', 100],
      ['2031-03-15', 1_000],
    ]) {
      await rowsOf('insert into usage_days (account_id, day, backend, calls) values ($1, $2, 1, $3)', [
        account.id,
        day,
        calls,
      ]);
    }
    const at = (instant: string) => accountUsage(here().database.db, account.id, new Date(instant));

    expect(await at('2031-03-14T23:59:59.999Z')).toMatchObject({ today: { calls: 100 }, thisMonth: { calls: 110 } });
    expect(await at('2031-03-15T00:00:00.000Z')).toMatchObject({
      today: { calls: 1_000 },
      thisMonth: { calls: 1_110 },
    });
  });

  test('what is going on now is counted: calls, batch calls, files', async () => {
    const { account, token } = await anAccount();
    const batch = (id: string, status: string) =>
      rowsOf(
        `insert into batches (id, account_id, name, number_id, from_number, rule_id, gateway_id, agent_id, status, timing,
         timezone, starts_at, completed_at)
       values ($1, $2, 'B', 'num', '+14155550100', 'rule', 'gwo', 'agt', $3, 'immediate', 'UTC', now(),
         case when $3 = 'completed' then now() end)`,
        [id, account.id, status],
      );
    await batch('batch_running', 'running');
    await batch('batch_done', 'completed');
    await rowsOf(
      `insert into batch_files (key, batch_id, account_id, filename, extension, sha256, byte_size, bytes)
     values ('f1', 'batch_running', $1, 'a.csv', 'csv', '', 1000, ''), ('f2', 'batch_done', $1, 'b.csv', 'csv', '', 24, '')`,
      [account.id],
    );
    for (const [phase, to] of [
      ['queued', 1],
      ['claimed', 2],
      ['dialing', 3],
      ['ringing', 4],
      ['answered', 5],
    ]) {
      await rowsOf(
        `insert into call_attempts (call_id, number, account_id, gateway_id, to_number, phase, due_at, claimed_by)
       values ($1::uuid, 1, $2, 'gwo', $3, $4::text, now(), case when $4::text <> 'queued' then $1::uuid end)`,
        [await aCall(account.id), account.id, `+91987654321${String(to)}`, phase],
      );
    }

    expect(await usageOf(token)).toMatchObject({ liveCalls: 3, unfinishedBatches: 1, batchFileBytes: 1024 });
  });
});

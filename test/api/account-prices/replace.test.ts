import { describe, expect, test } from 'vitest';
import { aRoute } from '../batch-calls/support.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

const url = '/v1/account/prices';

describe('200', () => {
  // shows: prices.set
  test('prices that are put are those that are got, and are replaced as a whole', async () => {
    const { token, account } = await anAccount('Prices');
    const { gatewayId } = await aRoute({ accountId: account.id });
    const put = await api.put(
      url,
      {
        currency: 'EUR',
        calls: [
          { perMinute: 0.02 },
          { country: 'IN', perMinute: 0.0085, incrementSeconds: 30 },
          { gatewayId, perMinute: 0.000001, minimumSeconds: 60 },
          { gatewayId, country: '001', perMinute: 100_000, incrementSeconds: 6, minimumSeconds: 30 },
        ],
      },
      { token },
    );
    expect([put.status, put.body]).toEqual([
      200,
      {
        currency: 'EUR',
        calls: [
          { perMinute: 0.02, incrementSeconds: 1, minimumSeconds: 1 },
          { country: 'IN', perMinute: 0.0085, incrementSeconds: 30, minimumSeconds: 30 },
          { gatewayId, perMinute: 0.000001, incrementSeconds: 1, minimumSeconds: 60 },
          { gatewayId, country: '001', perMinute: 100_000, incrementSeconds: 6, minimumSeconds: 30 },
        ],
        updatedAt: expect.any(String) as unknown,
      },
    ]);
    expect((await api.get(url, { token })).body).toEqual(put.body);
    expect((await api.put(url, put.body as object, { token })).status).toBe(200);

    const less = await api.put(url, { currency: 'USD' }, { token });
    expect(less.body).toEqual({ currency: 'USD', calls: [], updatedAt: expect.any(String) as unknown });
    const logged = await rowsOf<{ details: object }>(
      `select details from audit_log where action = 'account.prices' and account_id = '${account.id}' order by id desc`,
    );
    expect(logged).toHaveLength(3);
    expect(logged[0]?.details).toMatchObject({ currency: 'USD', calls: { prices: 0, added: 0, removed: 4 } });
  });

  // shows: prices.models
  test('prices of models are those that are got, stay if a request does not name them, and go if its list is empty', async () => {
    const { token, account } = await anAccount('Models');
    const calls = [{ perMinute: 0.02, incrementSeconds: 1, minimumSeconds: 1 }];
    const models = [
      { kind: 'stt', perMinute: 0.0043 },
      { perMillionInputTokens: 0.4, perMillionCachedInputTokens: 0.1, perMillionOutputTokens: 1.6 },
      { provider: 'elevenlabs', perThousandCharacters: 0.05 },
      { provider: 'groq', model: 'openai/gpt-oss-20b', kind: 'llm', perMillionInputTokens: 0 },
    ];
    const body = { currency: 'USD', calls, models };
    const put = await api.put(url, body, { token });
    expect(put.status).toBe(200);
    const got = (await api.get(url, { token })).body as { models: object[] };
    expect(got).toEqual(put.body);
    expect(got.models).toHaveLength(models.length);
    expect(got.models).toEqual(expect.arrayContaining(models));
    expect((await api.put(url, { currency: 'USD', calls }, { token })).body).toMatchObject({ models: got.models });
    expect((await api.put(url, { ...body, models: got.models }, { token })).body).toMatchObject({ models: got.models });
    expect((await api.put(url, { ...body, models: [] }, { token })).body).not.toHaveProperty('models');
    const logged = await rowsOf<{ details: object }>(
      `select details from audit_log where action = 'account.prices' and account_id = '${account.id}' order by id desc`,
    );
    expect(logged[0]?.details).toMatchObject({ models: { prices: 0, added: 0, removed: 4 } });
    expect(logged[1]?.details).not.toHaveProperty('models');
  });

  test('two accounts, and two requests at once, leave one whole list each', async () => {
    const [one, other] = await Promise.all([anAccount('One'), anAccount('Other')]);
    const lists = [['US'], ['IN', 'GB']].map((countries) => ({
      currency: 'USD',
      calls: countries.map((country) => ({ country, perMinute: 1 })),
    }));
    const answers = await Promise.all(lists.map((body) => api.put(url, body, { token: one.token })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { calls } = (await api.get(url, { token: one.token })).body as { calls: { country: string }[] };
    expect(['US', 'GB,IN']).toContain(calls.map(({ country }) => country).join());
    expect((await api.get(url, { token: other.token })).body).toEqual({ calls: [] });
  });
});

describe('400', () => {
  test('everything that is wrong is said at once, each at its field', async () => {
    const answer = await api.put(url, {
      currency: 'dollars',
      calls: [
        { perMinute: 0.0000001 },
        { perMinute: -1, country: 'XX' },
        { country: 'IN', perMinute: 1, incrementSeconds: 0, minimumSeconds: 1.5 },
        { country: 'IN', perMinute: 100_001, per: 1 },
        { country: 'DE', perMinute: '1' },
      ],
    });
    expect(answer.status).toBe(400);
    const { errors } = answer.body as { errors: string[] };
    expect(errors.map((problem) => problem.split(': ')[0])).toEqual([
      'calls[0].perMinute',
      'calls[1].country',
      'calls[1].perMinute',
      'calls[2].incrementSeconds',
      'calls[2].minimumSeconds',
      'calls[3]',
      'calls[3].per',
      'calls[3].perMinute',
      'calls[4].perMinute',
      'currency',
    ]);
  });

  test('a price of models needs a provider that there is beside a model, and a unit; two for the same models are refused', async () => {
    const answer = await api.put(url, {
      currency: 'USD',
      models: [
        { model: 'nova-3', perMinute: 1 },
        { provider: 'nobody', perMinute: -1 },
        { kind: 'tts' },
        { kind: 'stt', perMinute: 1 },
        { kind: 'stt', perMinute: 2 },
      ],
    });
    expect(answer.status).toBe(400);
    const { errors } = answer.body as { errors: string[] };
    expect(errors.map((problem) => problem.split(': ')[0])).toEqual([
      'models[0].provider',
      'models[1].perMinute',
      'models[1].provider',
      'models[2]',
      'models[4]',
    ]);
  });

  test('what a price of models lacks is said in the same answer as fields that are wrong', async () => {
    const answer = await api.put(url, {
      currency: 'USD',
      models: [
        { model: 'nova-3', perMinute: 'a lot' },
        { model: 7, perMinute: -1 },
        { model: 'nova-3', kind: 'none' },
      ],
    });
    expect(answer.status).toBe(400);
    const { errors } = answer.body as { errors: string[] };
    expect(errors.map((problem) => problem.split(': ')[0]).sort()).toEqual([
      'models[0].perMinute',
      'models[0].provider',
      'models[1].model',
      'models[1].perMinute',
      'models[1].provider',
      'models[2]',
      'models[2].kind',
      'models[2].provider',
    ]);
  });

  test('two prices for the same calls, and gateways of others, are refused', async () => {
    const { token } = await anAccount('Refused prices');
    const twice = await api.put(
      url,
      { currency: 'USD', calls: [{ perMinute: 1 }, { country: 'IN', perMinute: 1 }, { perMinute: 2 }] },
      { token },
    );
    expect([twice.status, twice.body]).toMatchObject([
      400,
      { errors: ['calls[2]: is for the same calls as calls[0]'] },
    ]);
    const theirs = await aRoute({ accountId: (await anAccount('Has a gateway')).account.id });
    const foreign = await api.put(
      url,
      {
        currency: 'USD',
        calls: [
          { gatewayId: theirs.gatewayId, perMinute: 1 },
          { gatewayId: 'gwo_none', perMinute: 1 },
        ],
      },
      { token },
    );
    const message = 'is no gateway of this account';
    expect([foreign.status, foreign.body]).toMatchObject([
      400,
      { errors: [`calls[0].gatewayId: ${message}`, `calls[1].gatewayId: ${message}`] },
    ]);
    expect((await api.get(url, { token })).body).toEqual({ calls: [] });
  });
});

describe('409', () => {
  test('the currency stays once something has been priced; prices can change', async () => {
    const { token, account } = await anAccount('Priced');
    expect((await api.put(url, { currency: 'USD', calls: [{ perMinute: 1 }] }, { token })).status).toBe(200);
    expect((await api.put(url, { currency: 'EUR', calls: [{ perMinute: 1 }] }, { token })).status).toBe(200);
    await here().database.pool.query(
      `insert into figures (account_id, batch_id, dimension, day, key, calls, attempts, answered, human, machine, talk_ms, cost)
        values ($1, '', 'status', '2027-01-01', 'answered', 1, 1, 1, 0, 0, 60000, 1)`,
      [account.id],
    );
    const refused = await api.put(url, { currency: 'USD', calls: [] }, { token });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('EUR') as unknown]);
    expect((await api.get(url, { token })).body).toMatchObject({ currency: 'EUR', calls: [{ perMinute: 1 }] });
    expect((await api.put(url, { currency: 'EUR', calls: [{ perMinute: 2 }] }, { token })).status).toBe(200);
  });
});

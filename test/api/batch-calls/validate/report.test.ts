import { describe, expect, test } from 'vitest';
import { anAgent, aRegisteredNumber, aRule, rowsOf } from '../../support-resources.js';
import { anAccount, api, here } from '../../support.js';
import { aRoute, csv, fields, multipart, type Part, stored } from '../support.js';

describe('200', () => {
  async function validated(parts: readonly Part[]) {
    const { body, contentType } = multipart(parts);
    const response = await api.post('/v1/batch-calls/validate', body, { headers: { 'content-type': contentType } });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    return response.body as Record<string, unknown> & {
      rejected: unknown[];
      estimate: { seconds: number; basis: string };
    };
  }

  const form = async (text: string, change: object = {}) => [
    csv(text),
    ...fields({ name: 'Try', phoneNumber: (await aRoute()).phoneNumber, ...change }),
  ];

  // shows: batches.validate
  test('a report says what would come of the file, and nothing is stored', async () => {
    const parts = await form(
      'phone_number,name\n+919877012345,Asha\n+91 98770 12346,Bo\n12,Cy\n,Dé\n+919877012345,Asha\n',
    );
    const before = await stored();

    expect(await validated(parts)).toEqual({
      valid: true,
      parseError: null,
      rows: 5,
      recordsUploaded: 2,
      recordsRejected: 3,
      recordsCorrected: 1,
      corrected: [{ row: 3, value: '+91 98770 12346', phoneNumber: '+919877012346' }],
      columns: ['phone_number', 'name'],
      rejected: [
        { row: 4, value: '12', reason: expect.any(String) as unknown, message: expect.any(String) as unknown },
        { row: 5, value: '', reason: 'missing_number', message: expect.any(String) as unknown },
        { row: 6, value: '+919877012345', reason: 'duplicate', message: expect.any(String) as unknown },
      ],
      unfilledPlaceholders: [],
      startsAt: expect.any(String) as unknown,
      firstCallAt: expect.any(String) as unknown,
      dialingStopped: false,
      heldBack: [],
      judged: 2,
      estimate: {
        seconds: 61,
        basis: expect.stringContaining('2 calls, at most 1 per second and 50 at a time') as unknown,
      },
    });
    expect(await stored()).toEqual(before);
  });

  // shows: rows.column-names
  test('a file with other headers is read by the names that columns gives them', async () => {
    const columns = { phone_number: 'Mobile', first_name: 'Vorname' };
    expect(
      await validated([...(await form('Mobile,Vorname\n+919877012345,Asha\n')), ...fields({ columns })]),
    ).toMatchObject({
      valid: true,
      recordsUploaded: 1,
      columns: ['phone_number', 'first_name'],
    });
  });

  test('a file that cannot be used is a report with its parseError', async () => {
    expect(await validated(await form('Phone Number\n+919877012345\n'))).toMatchObject({
      valid: false,
      parseError: expect.stringContaining('rename it to phone_number') as unknown,
      recordsUploaded: 0,
      estimate: { seconds: 0 },
    });
  });

  // shows: batches.validate.report
  test('the first 100 rejected rows are listed, all are counted', async () => {
    const report = await validated(await form(`phone_number\n+919877012345\n${'12\n'.repeat(150)}`));
    expect(report.rejected).toHaveLength(100);
    expect(report).toMatchObject({ recordsRejected: 150, rows: 151 });
  });

  test('numbers on the do-not-call list are among the rejected', async () => {
    await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [here().me.account.id, '+919877012399']);
    const report = await validated(await form('phone_number\n+919877012399\n+919877012398\n'));
    expect(report.rejected).toEqual([expect.objectContaining({ row: 2, reason: 'do_not_call' })]);
  });

  // shows: batches.validate.report
  test('placeholders that neither a column nor agentMetadata fills are named with their place', async () => {
    const number = await aRegisteredNumber({ phoneNumbers: ['+14155550177'] });
    const agentId = await anAgent();
    const config = {
      name: 'A',
      languages: { english: { prompt: 'Hi {{name}} of {{firm}}, {{doctor}} says {{phone_number}}.' } },
    };
    await rowsOf('alter table agent_versions disable trigger agent_versions_are_immutable');
    await rowsOf('update agent_versions set config = $2 where agent_id = $1', [agentId, JSON.stringify(config)]);
    await rowsOf('alter table agent_versions enable trigger agent_versions_are_immutable');
    await aRule({ phoneNumbers: [number.e164], agentId, agentMetadata: { firm: 'Acme' } });

    const report = await validated([
      csv('phone_number,name\n+919877012345,Asha\n'),
      ...fields({ name: 'Try', phoneNumber: number.e164 }),
    ]);

    expect(report.unfilledPlaceholders).toEqual([
      { path: 'languages.english.prompt', placeholder: 'doctor' },
      { path: 'languages.english.prompt', placeholder: 'phone_number' },
    ]);
  });

  // shows: batches.validate.report
  test('the estimate goes by the limits, and by how long the agent’s calls took', async () => {
    const route = await aRoute();
    await rowsOf('update gateways set calls_per_second = 10 where id = $1', [route.gatewayId]);
    const file = csv(
      `phone_number\n${Array.from({ length: 101 }, (_unused, n) => `+9198771${String(n).padStart(5, '0')}`).join('\n')}`,
    );
    const parts = (change: object) => [file, ...fields({ name: 'Try', phoneNumber: route.phoneNumber, ...change })];

    // 101 calls of 60 s: 50 at a time, or 10 at a time.
    expect((await validated(parts({}))).estimate.seconds).toBe(180);
    expect((await validated(parts({ maxConcurrentCalls: 10 }))).estimate.seconds).toBe(660);
  });

  // shows: batches.validate.cost
  test('an account with prices is told what the calls would cost, by country; one without is told nothing of it', async () => {
    const { token, account } = await anAccount('Estimated costs');
    const { phoneNumber, gatewayId, agentId } = await aRoute({ accountId: account.id });
    const { body, contentType } = multipart([
      csv('phone_number\n+919877012345\n+919877012346\n+442071838750\n'),
      ...fields({ name: 'Try', phoneNumber }),
    ]);
    const estimate = async () => {
      const answer = await api.post('/v1/batch-calls/validate', body, {
        token,
        headers: { 'content-type': contentType },
      });
      return (answer.body as { estimate: { cost?: object } }).estimate;
    };
    expect(await estimate()).not.toHaveProperty('cost');
    const guardrails = { allowedCountries: ['IN', 'GB'] };
    expect((await api.put('/v1/account/guardrails', guardrails, { token })).status).toBe(200);
    const prices = { currency: 'INR', calls: [{ gatewayId, country: 'IN', perMinute: 6, incrementSeconds: 60 }] };
    expect((await api.put('/v1/account/prices', prices, { token })).status).toBe(200);
    // 20 of 100 answer for half a minute and what is lost by rounding up, or 60 of 100 for two minutes and as much.
    expect((await estimate()).cost).toEqual({
      ...{ low: 2.4, high: 18, currency: 'INR', withoutPrice: 1 },
      basis: expect.stringContaining('as is assumed') as unknown,
    });

    await rowsOf(
      `with batch as (
         insert into batches (id, account_id, name, number_id, from_number, rule_id, gateway_id, agent_id, status, timing, timezone, starts_at, completed_at)
         select 'batch_' || $3, account_id, 'Before', 'num', $1, 'rule', id, $4, 'completed', 'immediate', 'UTC', now(), now() from gateways
         where id = $2 returning id)
       insert into batch_counters (batch_id, attempts, answered, talk_seconds) select id, 1000000, 500000, 15000000 from batch`,
      [phoneNumber, gatewayId, account.id, agentId],
    );
    const { cost } = await estimate();
    expect(cost).toMatchObject({
      basis: expect.stringContaining('50 of 100 attempts answered, for 30 s each') as unknown,
    });
    const { low, high } = cost as { low: number; high: number };
    expect([low, high].map((amount) => amount.toFixed(2))).toEqual(['5.99', '6.01']);

    // Ten conversations before cost as much for their models as the same ones will.
    const models = [
      { provider: 'openai', perMillionInputTokens: 100 },
      { provider: 'openai', model: 'gpt-4.1', perMillionInputTokens: 50, perMillionCachedInputTokens: 5 },
      { kind: 'llm', perMillionOutputTokens: 70 },
      { kind: 'stt', perMinute: 0.5 },
    ];
    expect((await api.put('/v1/account/prices', { ...prices, models }, { token })).status).toBe(200);
    await rowsOf(
      `with calls as (
         insert into calls (id, account_id, type, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id, status, talk_seconds)
         select gen_random_uuid(), $1, 'outbound', 'batch_' || $1, n, '+9198770' || n, '', 'rule', 'gateway', 'agent', 'answered', 30
         from generate_series(10001, 10010) n returning id)
       insert into call_usage (call_id, account_id, source, kind, model, input_tokens, cached_input_tokens, output_tokens, audio_seconds)
       select id, $1, '1/run', u.* from calls cross join (values
         ('llm', 'openai/gpt-4.1', 4000, 1000, 300, 0), ('llm', 'openai/other', 1000, 0, 100, 0),
         ('llm', 'groq/any', 1000, 0, 100, 0), ('stt', 'deepgram/nova-3', 0, 0, 0, 20), ('tts', 'cartesia/sonic', 0, 0, 0, 25)) u`,
      [account.id],
    );
    const [stored] = await rowsOf<{ cost: number }>(
      'select sum(cost)::float8 / 1e6 as cost from call_usage where account_id = $1',
      [account.id],
    );
    const withModels = (await estimate()).cost as { low: number; basis: string };
    // Three numbers, of which half answer, for as long as a conversation before.
    expect(withModels.low - low).toBeCloseTo(((stored?.cost ?? NaN) / 10) * 1.5, 1);
    expect(withModels.basis).toContain('as in 10 conversations of this agent');
  });
});

describe('200: what would be held back', () => {
  interface Report {
    readonly valid: boolean;
    readonly parseError: string | null;
    readonly startsAt: string;
    readonly firstCallAt: string | null;
    readonly dialingStopped: boolean;
    readonly judged: number;
    readonly rejected: readonly { readonly row: number; readonly reason: string }[];
    readonly heldBack: readonly {
      readonly reason: string;
      readonly count: number;
      readonly until: string | null;
      readonly untilLast: string | null;
      readonly rows: readonly number[];
    }[];
  }

  async function aCustomer(guardrails: object = {}) {
    const { token, account } = await anAccount('Dry run');
    expect((await api.put('/v1/account/guardrails', guardrails, { token })).status).toBe(200);
    const route = await aRoute({ accountId: account.id });
    const validate = async (text: string, change: object = {}): Promise<Report> => {
      const { body, contentType } = multipart([
        csv(text),
        ...fields({ name: 'Try', phoneNumber: route.phoneNumber, ...change }),
      ]);
      const answer = await api.post('/v1/batch-calls/validate', body, {
        token,
        headers: { 'content-type': contentType },
      });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      return answer.body as Report;
    };
    return { token, account, route, validate };
  }

  const hourMs = 3_600_000;

  /** The clock so many hours from now. */
  const clockIn = (timeZone: string, hours: number): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(
      new Date(Date.now() + hours * hourMs),
    );

  /** As the end of a window: midnight is 24:00. */
  const endIn = (timeZone: string, hours: number): string => clockIn(timeZone, hours).replace('00:00', '24:00');

  const hoursAway = (text: string | null | undefined): number =>
    text === null || text === undefined ? NaN : Math.round((Date.parse(text) - Date.now()) / hourMs);

  const file = (...numbers: string[]) => `phone_number\n${numbers.join('\n')}\n`;

  test('the dry run names the calls that the guardrails would end, and is not valid if none are left', async () => {
    const { validate } = await aCustomer();
    const foreign = await validate(file('+4915123456789', '+19002345607', '+870773112307'));
    expect(foreign).toMatchObject({ valid: false, parseError: null, firstCallAt: null });
    expect(foreign.heldBack).toEqual([
      { reason: 'country_not_allowed', count: 1, until: null, untilLast: null, rows: [2] },
      { reason: 'premium_rate_number', count: 1, until: null, untilLast: null, rows: [3] },
      { reason: 'satellite_number', count: 1, until: null, untilLast: null, rows: [4] },
    ]);
    const mixed = await validate(file('+919877012345', '+4915123456789'));
    expect(mixed.valid).toBe(true);
    expect(mixed.firstCallAt).toBe(mixed.startsAt);
    expect(mixed.heldBack).toMatchObject([{ reason: 'country_not_allowed', count: 1, rows: [3] }]);
  });

  test('the dry run says how many wait for the calling hours, by the callees’ clocks, and until when', async () => {
    const inIndia = { from: clockIn('Asia/Kolkata', 5), until: endIn('Asia/Kolkata', 7) };
    const { validate } = await aCustomer({ callingHours: inIndia, allowedCountries: ['IN', 'US'] });
    const report = await validate(file('+919877012345', '+919877012346', '+12065550123'));
    expect(report.heldBack).toMatchObject([{ reason: 'guardrail_hours', count: 3, rows: [2, 3, 4] }]);
    expect(hoursAway(report.heldBack[0]?.until)).toBe(5);
    expect(report.firstCallAt).toBe(report.heldBack[0]?.until);
    expect(Date.parse(report.heldBack[0]?.untilLast ?? '')).toBeGreaterThan(Date.parse(report.firstCallAt ?? ''));
  });

  test('the dry run goes by the zone that a row names, and rejects what is none where the account has hours', async () => {
    const inJapan = { from: clockIn('Asia/Tokyo', 5), until: endIn('Asia/Tokyo', 7) };
    const { validate } = await aCustomer({ callingHours: inJapan, allowedCountries: ['IN'] });
    const report = await validate('phone_number,timezone\n+919877012345,Asia/Tokyo\n+919877012346,JST\n');
    expect(report.heldBack).toMatchObject([{ count: 1, rows: [2] }]);
    expect(report.rejected).toMatchObject([{ row: 3, reason: 'invalid_timezone' }]);
  });

  test('the dry run knows the window of the batch, and the hours of the account inside it', async () => {
    const zone = 'Asia/Kolkata';
    const window = { from: clockIn(zone, 4), until: endIn(zone, 9), timezone: zone };
    const free = await aCustomer();
    const byWindow = await free.validate(file('+919877012345'), { callingWindow: window });
    expect(byWindow.heldBack).toMatchObject([{ reason: 'calling_window', count: 1 }]);
    expect(hoursAway(byWindow.firstCallAt)).toBe(4);

    const bound = await aCustomer({ callingHours: { from: clockIn(zone, 6), until: endIn(zone, 8) } });
    const both = await bound.validate(file('+919877012345'), { callingWindow: window });
    expect(hoursAway(both.firstCallAt)).toBe(6);
  });

  test('the dry run counts what the daily limit leaves of a number, that of the file included', async () => {
    const { validate } = await aCustomer({ maxAttemptsPerNumberPerDay: 1 });
    const report = await validate('phone_number,name\n+919877012345,Asha\n+919877012345,Bo\n+919877012346,Cy\n');
    expect(report.heldBack).toMatchObject([{ reason: 'daily_limit', count: 1, rows: [3] }]);
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', hour: '2-digit', minute: '2-digit' });
    expect(clock.format(new Date(report.heldBack[0]?.until ?? 0))).toBe('00:00');
    expect(report.firstCallAt).toBe(report.startsAt);
  });

  test('the dry run judges a scheduled batch by the hours at its start', async () => {
    const zone = 'Asia/Kolkata';
    const { validate } = await aCustomer({ callingHours: { from: '09:00', until: '20:00' } });
    const date = new Date(Date.now() + 10 * 24 * hourMs).toISOString().slice(0, 10);
    const open = await validate(file('+919877012345'), { schedule: { date, time: '10:00', timezone: zone } });
    expect(open.heldBack).toEqual([]);
    expect(open.firstCallAt).toBe(open.startsAt);
    const early = await validate(file('+919877012345'), { schedule: { date, time: '07:00', timezone: zone } });
    expect(Date.parse(early.firstCallAt ?? '') - Date.parse(early.startsAt)).toBe(2 * hourMs);
  });

  test('the dry run tells the do-not-call list and stopped dialing', async () => {
    const { validate, account, token } = await aCustomer();
    await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [account.id, '+919877012399']);
    await api.post('/v1/account/stop-dialing', {}, { token });
    const report = await validate(file('+919877012399', '+919877012398'));
    expect(report).toMatchObject({ dialingStopped: true, judged: 1 });
    expect(report.heldBack).toEqual([{ reason: 'do_not_call', count: 1, until: null, untilLast: null, rows: [2] }]);
  });

  test('with unfilledPlaceholders=reject the dry run refuses a file without the column, and rows that leave it empty', async () => {
    const { validate, route } = await aCustomer();
    const config = {
      name: 'A',
      languages: { english: { prompt: 'Be kind.', greeting: { text: 'Hello {{first_name}}.' } } },
    };
    await rowsOf(
      `with version as (
       insert into agent_versions (id, account_id, agent_id, number, name, config)
       select 'ver_' || id, account_id, id, 1, 'first', $2 from agents where id = $1 returning id, account_id, agent_id)
     insert into deployments (id, account_id, agent_id, version_id, region, status)
     select 'dep_' || agent_id, account_id, agent_id, id, 'default', 'live' from version`,
      [route.agentId, JSON.stringify(config)],
    );
    await rowsOf(`update agents set deployment_id = 'dep_' || id, latest_version_id = 'ver_' || id where id = $1`, [
      route.agentId,
    ]);
    const reject = { unfilledPlaceholders: 'reject' };
    const misspelt = await validate('phone_number,firstname\n+919877012345,Asha\n', reject);
    expect(misspelt).toMatchObject({ valid: false, parseError: expect.stringContaining('{{first_name}}') as unknown });
    const gap = await validate('phone_number,first_name\n+919877012345,Asha\n+919877012346, \n', reject);
    expect(gap.valid).toBe(true);
    expect(gap.rejected).toMatchObject([{ row: 3, reason: 'unfilled_placeholder' }]);
    expect(await validate('phone_number,firstname\n+919877012345,Asha\n')).toMatchObject({ valid: true });
  });
});

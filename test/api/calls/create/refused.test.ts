import { afterEach, describe, expect, test } from 'vitest';
import { aCallingNumber, anAgent, aNumber, aRegisteredNumber, aRule, rowsOf } from '../../support-resources.js';
import { anAccount, anotherApp, api, here } from '../../support.js';

describe('400', () => {
  const call = (body: unknown) => api.post('/v2/sip/call', body);

  const refused = async (body: object) => {
    const response = await call(body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ message: expect.any(String) });
    return (response.body as { message: string }).message;
  };

  // shows: call.participant, calls.accepted
  test('every problem is named at once', async () => {
    const response = await call({
      sipCallFrom: '14155550100',
      metadata: [],
      participant: { id: 7, color: 'red' },
      ringingTimeout: 14,
      maxCallDuration: 0,
      headers: { Via: 'me' },
      recordAudio: 'yes',
      mediaEncryption: 'maybe',
      includeHeaders: 'SOME',
      sipCallTO: aNumber(),
    });
    expect(response.status).toBe(400);
    const { errors } = response.body as { errors: string[] };
    expect(errors.map((line) => line.slice(0, line.indexOf(': ')))).toEqual([
      'headers.Via',
      'includeHeaders',
      'maxCallDuration',
      'mediaEncryption',
      'metadata',
      'participant.color',
      'participant.id',
      'recordAudio',
      'ringingTimeout',
      'sipCallFrom',
      'sipCallTO',
      'sipCallTo',
    ]);
  });

  // shows: calls.required
  test.each([
    ['an empty body', undefined],
    ['an empty JSON body', ''],
    ['nothing but nulls', { sipCallTo: null, sipCallFrom: null, metadata: null }],
  ])('%s lacks both numbers', async (_case, body) => {
    const response = await call(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: ['sipCallFrom: is required', 'sipCallTo: is required'] });
  });

  // shows: call.no-gateway, errors.call
  test('a number without an outbound gateway cannot call', async () => {
    const { e164 } = await aCallingNumber();
    await rowsOf(`delete from number_gateways where e164 = $1 and direction = 'outbound'`, [e164]);
    expect(await refused({ sipCallTo: aNumber(), sipCallFrom: e164 })).toContain('No outbound gateway');
  });

  // shows: call.needs-rule
  test('a number without an outbound rule cannot call', async () => {
    const { e164 } = await aRegisteredNumber();
    await aRule({ type: 'inbound', phoneNumbers: [e164] });
    expect(await refused({ sipCallTo: aNumber(), sipCallFrom: e164 })).toContain('no outbound routing rule');
  });

  test('a rule that is inbound, or on another number, is refused', async () => {
    const { e164 } = await aCallingNumber();
    const inbound = await aRule({ type: 'inbound', phoneNumbers: [e164] });
    const { ruleId } = await aCallingNumber();
    const body = { sipCallTo: aNumber(), sipCallFrom: e164 };
    expect(await refused({ ...body, routingRuleId: inbound })).toContain('not an outbound');
    expect(await refused({ ...body, routingRuleId: ruleId })).toContain('not attached');
  });

  // shows: calls.inactive-agent
  test('a rule whose agent is not active is refused', async () => {
    const { e164 } = await aCallingNumber({ agentId: await anAgent({ status: 'inactive' }) });
    expect(await refused({ sipCallTo: aNumber(), sipCallFrom: e164 })).toContain('not active');
  });

  // shows: calls.gateway
  test('a gateway of another number is refused', async () => {
    const { e164 } = await aCallingNumber();
    const { outboundGatewayId } = await aRegisteredNumber();
    expect(await refused({ sipCallTo: aNumber(), sipCallFrom: e164, gatewayId: outboundGatewayId })).toContain(
      'attached',
    );
  });

  test('a callee whom the rule does not allow is refused, and nothing is stored', async () => {
    const { e164 } = await aCallingNumber({ allowedNumbers: ['+1*'] });
    const sipCallTo = aNumber();
    const asked = () => rowsOf("select 1 from outbox where name = 'calls'");
    const before = await asked();
    expect(await refused({ sipCallTo, sipCallFrom: e164 })).toContain('does not allow');
    expect(await rowsOf('select 1 from calls where to_number = $1', [sipCallTo])).toEqual([]);
    expect(await asked()).toEqual(before);
  });

  test('metadata is at most 16 KB, to the byte', async () => {
    const { e164 } = await aCallingNumber();
    const sized = (bytes: number) => ({
      sipCallTo: aNumber(),
      sipCallFrom: e164,
      metadata: { note: 'é'.repeat((bytes - '{"note":""}'.length - 1) / 2) + 'x' },
    });
    expect((await call(sized(16_384))).status).toBe(201);
    const response = await call(sized(16_386));
    expect(response.body).toMatchObject({ errors: ['metadata: must be at most 16384 bytes as JSON'] });
  });

  test.each([
    'call_0198c0de-0000-7000-8000-000000000001_1_1',
    'acc_0198c0de-0000-7000-8000-00000000000a.support',
    'playground_0198f6f0-1a2e-7d1c-9b3a-0c1d2e3f4a5b',
  ])('P1-2: a room named as the service names its own is refused: %s', async (destinationRoomId) => {
    const { e164 } = await aCallingNumber();
    const response = await call({ sipCallTo: aNumber(), sipCallFrom: e164, destinationRoomId });
    expect(response.status).toBe(400);
    expect((response.body as { errors: string[] }).errors).toEqual([
      expect.stringMatching(/^destinationRoomId: must not look like a room that the service names/),
    ]);
  });
});

describe('403', () => {
  // shows: calls.do-not-call
  test('a number on the do-not-call list is not called, whatever is asked', async () => {
    const { e164 } = await aCallingNumber();
    const sipCallTo = aNumber();
    await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [here().me.account.id, sipCallTo]);

    const response = await api.post('/v2/sip/call', { sipCallTo, sipCallFrom: e164 });

    expect(response.status).toBe(403);
    expect(response.body).toEqual({ message: expect.stringContaining('do-not-call') });
    expect(await rowsOf('select 1 from calls where to_number = $1', [sipCallTo])).toEqual([]);
  });

  test('another account’s list does not count', async () => {
    const other = await anAccount();
    const { e164 } = await aCallingNumber();
    const sipCallTo = aNumber();
    await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [other.account.id, sipCallTo]);
    expect((await api.post('/v2/sip/call', { sipCallTo, sipCallFrom: e164 })).status).toBe(201);
  });

  test('while all dialing of the account is stopped, no call is made, and the next one is when it has been resumed', async () => {
    const { e164 } = await aCallingNumber();
    const body = { sipCallTo: aNumber(), sipCallFrom: e164 };
    const accountId = here().me.account.id;
    await rowsOf('update accounts set dialing_stopped_at = now() where id = $1', [accountId]);
    const response = await api.post('/v2/sip/call', body);
    await rowsOf('update accounts set dialing_stopped_at = null where id = $1', [accountId]);

    expect(response.status).toBe(403);
    expect(response.body).toEqual({ message: expect.stringContaining('stopped') });
    expect(await rowsOf('select 1 from calls where to_number = $1', [body.sipCallTo])).toEqual([]);
    expect((await api.post('/v2/sip/call', body)).status).toBe(201);
  });
});

describe('403: guardrails', () => {
  const guardrails = '/v1/account/guardrails';

  afterEach(() => api.put(guardrails, {}));

  const call = async (sipCallTo: string, app?: Awaited<ReturnType<typeof anotherApp>>) => {
    const { e164 } = await aCallingNumber();
    return api.post('/v2/sip/call', { sipCallTo, sipCallFrom: e164 }, app === undefined ? {} : { app });
  };

  // shows: calls.guardrails
  test.each([
    ['a country without a number of the account', '+442079460958', /do not allow calls to GB/],
    ['a premium-rate number', '+19002345678', /premium-rate/],
    ['a satellite number', '+870773112345', /satellite/],
  ])('%s is not called by default', async (_what, to, words) => {
    const response = await call(to);
    expect(response.status).toBe(403);
    expect((response.body as { message: string }).message).toMatch(words);
  });

  test('a country that was allowed is called', async () => {
    await api.put(guardrails, { allowedCountries: ['IN', 'GB'] });
    expect((await call('+442079460958')).status).toBe(201);
  });

  test('outside of the calling hours the answer says when they open, by the callee’s clock', async () => {
    await api.put(guardrails, { callingHours: { from: '09:00', until: '18:00' } });
    const night = await anotherApp({ clock: () => new Date('2026-07-01T14:00:00Z') }); // 19:30 in India
    const response = await call(aNumber(), night);
    expect(response.status).toBe(403);
    expect((response.body as { message: string }).message).toContain('2026-07-02T03:30:00.000Z');
    const day = await anotherApp({ clock: () => new Date('2026-07-01T06:00:00Z') });
    expect((await call(aNumber(), day)).status).toBe(201);
  });

  test('a number that has had its attempts of the day is not called again', async () => {
    await api.put(guardrails, { maxAttemptsPerNumberPerDay: 1 });
    const to = aNumber();
    const first = await call(to);
    expect(first.status).toBe(201);
    await rowsOf(
      "update call_attempts set phase = 'ended', dialed_at = now(), outcome = 'missed' where to_number = $1",
      [to],
    );
    const second = await call(to);
    expect(second.status).toBe(403);
    expect((second.body as { message: string }).message).toMatch(/1 times today/);
  });
});

describe('404', () => {
  const notFound = async (body: object) => {
    const response = await api.post('/v2/sip/call', { sipCallTo: aNumber(), ...body });
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ message: expect.any(String) });
    return (response.body as { message: string }).message;
  };

  // shows: call.gateway-not-found, calls.gateway
  test('a gateway that does not exist, is inbound, or is another account’s is not found, in the same words', async () => {
    const { e164, inboundGatewayId } = await aCallingNumber();
    const { token } = await anAccount();
    const theirs = await aRegisteredNumber({}, { token });
    const answers = await Promise.all(
      ['gwo_none', inboundGatewayId, theirs.outboundGatewayId].map((gatewayId) =>
        notFound({ sipCallFrom: e164, gatewayId }),
      ),
    );
    expect(new Set(answers)).toEqual(new Set(['Outbound gateway not found']));
  });

  test('a rule that does not exist or is another account’s is not found, in the same words', async () => {
    const { e164 } = await aCallingNumber();
    const { token } = await anAccount();
    const theirNumber = await aRegisteredNumber({}, { token });
    const theirs = await aRule({ type: 'inbound', agentId: null, phoneNumbers: [theirNumber.e164] }, { token });
    expect(await notFound({ sipCallFrom: e164, routingRuleId: 'rule_none' })).toBe('Routing rule not found');
    expect(await notFound({ sipCallFrom: e164, routingRuleId: theirs })).toBe('Routing rule not found');
  });

  test('no call is made from a number that is not on the account', async () => {
    const { token } = await anAccount();
    const { e164 } = await aRegisteredNumber({}, { token });
    expect(await notFound({ sipCallFrom: e164 })).toContain('not found');
  });
});

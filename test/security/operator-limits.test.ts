import { expect, test } from 'vitest';
import { api, here, settings, useApi } from '../api/support.js';
import { aCallingNumber, aGateway, aRegisteredNumber, numbersBody } from '../api/support-resources.js';
import { requireTransferable } from '../../db/queries/calls/order-transfer.js';
import { csv, fields, send } from '../api/batch-calls/support.js';

useApi();
Object.assign(settings, {
  ...{ OUTDIAL_ALLOWED_COUNTRIES: 'IN,US', OUTDIAL_CALLING_HOURS: '00:00-24:00' },
  ...{ OUTDIAL_MAX_ATTEMPTS_PER_NUMBER_PER_DAY: '3', OUTDIAL_REFUSE_SATELLITE: 'true' },
  ...{ OUTDIAL_MAX_CALLS_PER_SECOND: '0.5', OUTDIAL_MAX_CONCURRENT_CALLS: '20' },
  ...{ OUTDIAL_MIN_RETRY_DELAY_SECONDS: '60', OUTDIAL_TRANSFER_HOSTS: 'pbx.example.com,Desk.Example.' },
});

const url = '/v1/account/guardrails';

test('P2-2: the token that dials cannot lift the operator’s limits: each field that would is named', async () => {
  const wide = { allowedCountries: ['IN', 'CU'], maxAttemptsPerNumberPerDay: 9, refuseSatellite: false };
  const answer = await api.put(url, wide);
  expect(answer.status).toBe(400);
  expect((answer.body as { errors: string[] }).errors.sort()).toEqual([
    'allowedCountries: must not hold CU: the operator of this service allows no more',
    'maxAttemptsPerNumberPerDay: must be at most 3: the operator of this service allows no more',
    'refuseSatellite: must be true: the operator of this service allows no more',
  ]);
  const narrowed = await api.put(url, { allowedCountries: ['IN'], maxAttemptsPerNumberPerDay: 2 });
  expect(narrowed.body).toMatchObject({
    ...{ allowedCountries: ['IN'], countriesInForce: ['IN'], maxAttemptsPerNumberPerDay: 2, refuseSatellite: true },
    operatorLimits: { allowedCountries: ['IN', 'US'], maxAttemptsPerNumberPerDay: 3, refuseSatellite: true },
  });
  const sent = (await api.get(url)).body as object;
  expect((await api.put(url, sent)).body).toMatchObject({ allowedCountries: ['IN'] });
  await api.put(url, {});
});

test('P2-2: registering a number of another country does not widen what may be called', async () => {
  await aRegisteredNumber({ phoneNumbers: ['+442083661177'] });
  expect((await api.get(url)).body).toMatchObject({ countriesInForce: expect.not.arrayContaining(['GB']) });
  const { e164 } = await aCallingNumber();
  const call = (sipCallTo: string, sipCallFrom = e164) => api.post('/v2/sip/call', { sipCallTo, sipCallFrom });
  expect((await call('+442079460907')).status).toBe(403);
  expect((await call('+870773112307')).status).toBe(403);
  expect((await call('+919812345678')).status).toBe(201);
});

test('P2-2: a gateway is neither made nor set faster or wider than the operator allows, and a new one begins within', async () => {
  const gateway = await aGateway('outbound');
  expect(gateway).toMatchObject({ callsPerSecond: 0.5, maxConcurrentCalls: 20 });
  const faster = { callsPerSecond: 2, maxConcurrentCalls: 50 };
  for (const answer of [
    await api.patch(`/v2/sip/outbound-gateways/${gateway.id}`, faster),
    await api.post('/v2/sip/outbound-gateways', { name: 'Trunk', address: 'sip.carrier.example', ...faster }),
  ]) {
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('must be at most 0.5: the operator of this service allows no more');
    expect(answer.text).toContain('must be at most 20: the operator of this service allows no more');
  }
  expect((await api.post('/v2/sip/phone-numbers', numbersBody())).status).toBe(201);
});

test('P2-2: retries quicker than the operator allows are refused with everything else that is wrong', async () => {
  const { e164: phoneNumber } = await aCallingNumber();
  const retry = JSON.stringify({ retryOn: ['missed'], retryDelays: [1, 300] });
  const answer = await send([csv(), ...fields({ name: '', phoneNumber, retry })]);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('retry.retryDelays[0]');
  expect(answer.text).toContain('must be at least 60 seconds');
  expect(answer.text).toContain('name');
  expect(here().deps.env.OUTDIAL_MIN_RETRY_DELAY_SECONDS).toBe(60);
});

test('P2-1: calls are transferred to no host but the operator’s, however it is written and no matter who asks', async () => {
  const { e164 } = await aCallingNumber();
  const made = await api.post('/v2/sip/call', { sipCallTo: '+919812345678', sipCallFrom: e164 });
  const { id } = (made.body as { data: { id: string } }).data;
  const { db } = here().database;
  const wish = (to: string) =>
    requireTransferable(db, { accountId: here().me.account.id, callId: id.replace('call_', ''), to });
  for (const to of [
    'sip:desk@PBX.example.com',
    'sips:2017@pbx.example.com:5061',
    '+919812345679',
    'tel:+919812345679',
  ]) {
    await wish(to);
  }
  for (const to of ['sip:desk@evil.example', 'sip:desk@pbx.example.com.evil.example', 'sip:+919812345679@10.0.0.1']) {
    await expect(wish(to)).rejects.toThrow('The operator of this service allows no transfers to the host');
  }
});

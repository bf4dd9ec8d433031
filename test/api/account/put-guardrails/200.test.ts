import { expect, test } from 'vitest';
import { anAccount, api, here } from '../../support.js';
import { aCallingNumber, rowsOf } from '../../support-resources.js';

const url = '/v1/account/guardrails';
const asked = {
  callingHours: { from: '09:00', until: '20:00' },
  maxAttemptsPerNumberPerDay: 3,
  allowedCountries: ['US', 'IN', 'US'],
  disclosure: 'This call is made by an artificial voice.',
};

// shows: guardrails.get-put
test('an account that has set nothing is told the defaults, and the countries of its numbers', async () => {
  const { token } = await anAccount('Fresh');
  expect((await api.get(url, { token })).body).toEqual({
    countriesInForce: [],
    refusePremiumRate: true,
    refuseSatellite: true,
    dialingStopped: false,
  });
  await aCallingNumber();
  expect((await api.get(url)).body).toMatchObject({ countriesInForce: ['IN'] });
});

// shows: guardrails.get-put
test('what is put is what is got, and a field left out goes back to its default', async () => {
  await aCallingNumber(); // from IN
  const put = await api.put(url, asked);
  expect(put.status).toBe(200);
  expect(put.body).toMatchObject({
    ...asked,
    callingHours: { from: '09:00', until: '20:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7] },
    allowedCountries: ['IN', 'US'],
    countriesInForce: ['IN', 'US'],
    refusePremiumRate: true,
  });
  expect((await api.get(url)).body).toEqual(put.body);

  const after = await api.put(url, { refuseSatellite: false });
  expect(after.body).toMatchObject({ refuseSatellite: false, countriesInForce: ['IN'] });
  expect(after.body).not.toHaveProperty('callingHours');
  expect(after.body).not.toHaveProperty('disclosure');
});

test('what was got can be changed and put back as it is', async () => {
  const { body } = await api.get(url);
  const put = await api.put(url, { ...(body as object), maxAttemptsPerNumberPerDay: 5 });
  expect(put.status).toBe(200);
  expect(put.body).toMatchObject({ maxAttemptsPerNumberPerDay: 5 });
});

test('each change is in the audit log and gets a revision of its own', async () => {
  const before = await rowsOf<{ revision: string }>('select revision from guardrails where account_id = $1', [
    here().me.account.id,
  ]);
  await api.put(url, {});
  const after = await rowsOf<{ revision: string }>('select revision from guardrails where account_id = $1', [
    here().me.account.id,
  ]);
  expect(Number(after[0]?.revision)).toBe(Number(before[0]?.revision ?? 0) + 1);
  const log = await rowsOf("select 1 from audit_log where action = 'guardrails.update'");
  expect(log.length).toBeGreaterThan(0);
});

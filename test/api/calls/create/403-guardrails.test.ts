import { afterEach, expect, test } from 'vitest';
import { anotherApp, api } from '../../support.js';
import { aCallingNumber, aNumber, rowsOf } from '../../support-resources.js';

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
    `insert into call_attempts (call_id, number, account_id, gateway_id, to_number, phase, due_at, dialed_at, outcome)
     select id, 1, account_id, gateway_id, to_number, 'ended', now(), now(), 'missed' from calls where to_number = $1`,
    [to],
  );
  const second = await call(to);
  expect(second.status).toBe(403);
  expect((second.body as { message: string }).message).toMatch(/1 times today/);
});

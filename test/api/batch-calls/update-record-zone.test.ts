import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { formatId } from '../../../domain/ids.js';
import { api, here } from '../support.js';
import { aBatchOf } from './support-records.js';

const db = () => here().database.db;
const hourMs = 3_600_000;

/** HH:MM that clocks in India show so many hours from now. */
const inIndia = (hours: number): string => new Date(Date.now() + (hours + 5.5) * hourMs).toISOString().slice(11, 16);

/** Open now by the clocks of India, and only in the evening or the morning by those of New York. */
const byTheirClocks = () => ({
  from: inIndia(-1),
  until: inIndia(1),
  daysOfWeek: [1, 2, 3, 4, 5, 6, 7],
  timezone: 'recipient',
});

let numbers = 0;

/** A running batch with one recipient in India whose attempt waits in the queue. */
async function inTheQueue(
  options: {
    readonly metadata?: Record<string, string>;
    readonly zones?: readonly string[] | null;
    readonly window?: object | null;
    readonly phase?: 'queued' | 'claimed';
  } = {},
) {
  numbers += 1;
  const phoneNumber = `+91987718${String(numbers).padStart(4, '0')}`;
  const { metadata = { timezone: 'Asia/Calcutta' }, zones = ['Asia/Calcutta'], phase = 'queued' } = options;
  const made = await aBatchOf([{ phoneNumber, status: 'pending', metadata }], { status: 'running' });
  const { batchId, route } = made;
  const [callId = ''] = made.callIds;
  const { window = byTheirClocks() } = options;
  await sql`update batches set timezone = 'Asia/Calcutta', calling_window = ${window === null ? null : JSON.stringify(window)}::jsonb
    where id = ${batchId}`.execute(db());
  await sql`update calls set time_zones = ${zones === null ? null : [...zones]}::text[] where id = ${callId}`.execute(
    db(),
  );
  await sql`insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, due_at, phase, claimed_by)
    values (${callId}, 1, ${here().me.account.id}, ${batchId}, ${route.gatewayId}, ${phoneNumber}, now(), ${phase},
      ${phase === 'queued' ? null : '019a0000-0000-7000-8000-000000000000'})`.execute(db());
  return { batchId, callId, url: `/v1/batch-calls/${batchId}/records/${formatId('record', callId)}` };
}

const zonesOf = async (callId: string) =>
  (await db().selectFrom('calls').select('time_zones').where('id', '=', callId).executeTakeFirstOrThrow()).time_zones;
const attemptOf = (callId: string) =>
  db()
    .selectFrom('call_attempts')
    .select(['phase', 'claimed_by', 'due_at'])
    .where('call_id', '=', callId)
    .executeTakeFirstOrThrow();
const soon = () => new Date(Date.now() + 60_000);

// shows: recipients.patch
test.each(['queued', 'claimed'] as const)(
  'a recipient (%s) whose metadata.timezone is changed is called by the new clock, and waits for it',
  async (phase) => {
    const { batchId, callId, url } = await inTheQueue({ phase });
    const answer = await api.patch(url, { metadata: { timezone: ' America/New_York ' } });
    expect(answer.status).toBe(200);
    expect(await zonesOf(callId)).toEqual(['America/New_York']);
    const attempt = await attemptOf(callId);
    expect(attempt).toMatchObject({ phase: 'queued', claimed_by: null });
    expect(attempt.due_at > soon()).toBe(true);
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
      waiting: { total: 1, reasons: [{ reason: 'calling_window', count: 1 }] },
      waitingFor: expect.stringContaining('in New York') as string,
    });
    // And back: nobody waits for the clock that was corrected.
    await api.patch(url, { metadata: { timezone: 'Asia/Kolkata' } });
    expect((await attemptOf(callId)).due_at <= soon()).toBe(true);
  },
);

test('its hold by the hours of the account, which were worked out by the old clock, ends', async () => {
  const { callId, url } = await inTheQueue();
  await sql`update calls set held_until = now() + interval '5 hours', held_by = 'guardrail_hours' where id = ${callId}`.execute(
    db(),
  );
  await sql`update call_attempts set due_at = now() + interval '5 hours' where call_id = ${callId}`.execute(db());
  await api.patch(url, { metadata: { timezone: 'Asia/Colombo' } });
  expect(await db().selectFrom('calls').select('held_until').where('id', '=', callId).executeTakeFirst()).toEqual({
    held_until: null,
  });
  expect((await attemptOf(callId)).due_at <= soon()).toBe(true);
});

test('an instant before which it is not called still holds, and the opening after it is by the new clock', async () => {
  const { callId, url } = await inTheQueue();
  const notBefore = new Date(Date.now() + 30 * 24 * hourMs).toISOString();
  await api.patch(url, { notBefore });
  await api.patch(url, { metadata: { timezone: 'America/New_York' } });
  expect((await attemptOf(callId)).due_at.getTime()).toBeGreaterThan(Date.parse(notBefore));
});

test.each([{ metadata: { name: 'Asha' } }, { metadata: { timezone: '' } }, { metadata: null }])(
  'the clock of the number counts once no zone is named any more: %j',
  async (change) => {
    const { callId, url } = await inTheQueue({
      metadata: { timezone: 'America/New_York' },
      zones: ['America/New_York'],
    });
    expect((await api.patch(url, change)).status).toBe(200);
    expect(await zonesOf(callId)).toEqual(['Asia/Calcutta']);
  },
);

test('metadata that names the zone it named before, or never named one, leaves the clock as it is', async () => {
  const named = await inTheQueue({ metadata: { timezone: 'Asia/Colombo' }, zones: ['Asia/Dubai'] });
  await api.patch(named.url, { metadata: { timezone: 'Asia/Colombo', name: 'Ravi' } });
  expect(await zonesOf(named.callId)).toEqual(['Asia/Dubai']);
  const without = await inTheQueue({ metadata: { name: 'Asha' }, zones: ['Asia/Dubai'] });
  for (const metadata of [{ name: 'Ravi' }, { name: 'Ravi', timezone: '' }]) {
    await api.patch(without.url, { metadata });
    expect(await zonesOf(without.callId)).toEqual(['Asia/Dubai']);
  }
});

test('in a batch call whose window is not by the callees’ clocks, a named zone is kept for the hours of the account', async () => {
  const window = { ...byTheirClocks(), timezone: 'Asia/Calcutta' };
  const { callId, url } = await inTheQueue({ metadata: { name: 'Asha' }, zones: null, window });
  await api.patch(url, { metadata: { timezone: 'nonsense' } });
  expect(await zonesOf(callId)).toBeNull();
  await api.patch(url, { metadata: { timezone: 'America/New_York' } });
  expect(await zonesOf(callId)).toEqual(['America/New_York']);
  expect((await attemptOf(callId)).due_at <= soon()).toBe(true);
});

test.each(['Mars/Olympus', '+05:30', 7, { zone: 'UTC' }])(
  '400 for a zone that is none (%j) if hours go by the clock of callees, and nothing changes',
  async (timezone) => {
    const { callId, url } = await inTheQueue();
    expect(await api.patch(url, { metadata: { timezone } })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('metadata.timezone: must be an IANA time zone name') as string },
    });
    expect(await zonesOf(callId)).toEqual(['Asia/Calcutta']);
  },
);

import { expect, test, vi } from 'vitest';
import { anAccount, api, here } from '../../support.js';
import { aNumber, aRegisteredNumber, numbersBody, rowsOf } from '../../support-resources.js';
import { soon } from '../../../setup/soon.js';

/** Waits until a statement of this file's database waits for a lock. */
const aStatementWaits = () =>
  vi.waitFor(async () => {
    const waiting = await rowsOf(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (waiting.length === 0) throw new Error('nothing waits yet');
  }, soon);

// shows: numbers.concurrent, errors.numbers
test('a number that a concurrent request attaches first is a conflict that says to retry', async () => {
  const e164 = aNumber();
  await api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [e164] }));
  const [link] = await rowsOf<Record<string, string>>('delete from number_gateways where e164 = $1 returning *', [
    e164,
  ]);
  const rival = await here().database.pool.connect();
  try {
    await rival.query('begin');
    await rival.query('select 1 from phone_numbers where e164 = $1 for update', [e164]);
    const racing = api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [e164] }));
    await aStatementWaits();
    await rival.query(
      'insert into number_gateways (number_id, direction, gateway_id, account_id, e164) values ($1, $2, $3, $4, $5)',
      [link!.number_id, link!.direction, link!.gateway_id, link!.account_id, e164],
    );
    await rival.query('commit');

    const response = await racing;
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringMatching(/concurrently.*[Rr]etry/) });
  } finally {
    rival.release();
  }
});

// shows: numbers.race
test('two accounts that register one number at the same time: one wins, the other hears of a conflict', async () => {
  const e164 = aNumber();
  const other = await anAccount();
  const theirs = await aRegisteredNumber({ phoneNumbers: [e164] }, { token: other.token });
  await rowsOf('delete from number_gateways where e164 = $1', [e164]);
  const rival = await here().database.pool.connect();
  try {
    await rival.query('begin');
    await rival.query(
      `insert into number_gateways (number_id, direction, gateway_id, account_id, e164) values ($1, 'inbound', $2, $3, $4)`,
      [theirs.phoneNumberId, theirs.inboundGatewayId, other.account.id, e164],
    );
    const racing = api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [e164] }));
    await aStatementWaits();
    await rival.query('commit');

    const response = await racing;
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringMatching(/concurrently.*[Rr]etry/) });
    expect(await rowsOf('select 1 from phone_numbers where e164 = $1', [e164])).toHaveLength(1);
  } finally {
    rival.release();
  }
});

// shows: numbers.concurrent, numbers.race
test('of many requests for one number at the same time exactly one wins', async () => {
  const body = numbersBody({ phoneNumbers: [aNumber(), aNumber()] });
  const responses = await Promise.all(Array.from({ length: 6 }, () => api.post('/v2/sip/phone-numbers', body)));
  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(201);
  expect(statuses.slice(1).every((status) => status === 400 || status === 409)).toBe(true);
  expect(await rowsOf('select 1 from number_gateways where e164 = $1', [body.phoneNumbers[0]])).toHaveLength(2);
});

test('a number that another account receives calls on is a conflict, in words that name only the number', async () => {
  const e164 = aNumber();
  const other = await anAccount();
  await api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [e164] }), { token: other.token });

  const response = await api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [e164] }));

  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message: expect.stringContaining(e164) });
  expect(response.text).not.toContain(other.account.id);
});

// shows: idempotency.in-flight
test('a second try while the first one still runs is told so', async () => {
  const { pool } = here().database;
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${here().me.key.id} in-flight`]);
    const response = await api.post('/v2/sip/phone-numbers', numbersBody(), {
      headers: { 'idempotency-key': 'in-flight' },
    });
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringContaining('still running') });
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});

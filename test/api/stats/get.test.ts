import { sql } from 'kysely';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { foldFigures } from '../../../db/queries/dialer/fold-figures.js';
import { aRoute } from '../batch-calls/support.js';
import { anAccount, api, here } from '../support.js';

const days = 'from=2027-03-01&to=2027-03-31';

/** A single call that is over. */
async function aCall(accountId: string, status: string, answeredBy: string | null, hour: string): Promise<void> {
  const { db } = here().database;
  const route = await aRoute({ accountId });
  const id = v7();
  await sql`
    insert into calls (id, account_id, position, to_number, from_number, rule_id, gateway_id)
    values (${id}, ${accountId}, 0, '+14155550123', ${route.phoneNumber}, ${route.ruleId}, ${route.gatewayId})`.execute(
    db,
  );
  await sql`
    insert into call_attempts (call_id, number, account_id, gateway_id, to_number, phase, outcome, due_at, dialed_at,
      answered_at, ended_at, answered_by, callee_hour)
    values (${id}, 1, ${accountId}, ${route.gatewayId}, '+14155550123', 'ended', ${status}, now(), now(), now(),
      now() + interval '1.5 seconds', ${answeredBy}, ${hour}::timestamp)`.execute(db);
  await sql`
    update calls set status = ${status}, attempts_made = 1, answered_by = ${answeredBy}, ended_at = now()
    where id = ${id}`.execute(db);
}

describe('200', () => {
  test('calls of the days that were asked for are summed by key, and nobody else’s', async () => {
    const { account, token } = await anAccount();
    await aCall(account.id, 'answered', 'human', '2027-03-01T09:00');
    await aCall(account.id, 'answered', null, '2027-03-31T09:00');
    await aCall(account.id, 'missed', null, '2027-03-31T23:00');
    await aCall(account.id, 'missed', null, '2027-04-01T00:00');
    const { body } = await api.get(`/v1/stats?by=hour&${days}`, { token });
    expect(body).toEqual({
      ...{ from: '2027-03-01', to: '2027-03-31', by: 'hour' },
      rows: [
        { key: '09', calls: 2, attempts: 2, answered: 2, human: 1, machine: 0, success: 0, talkSeconds: 3 },
        { key: '23', calls: 1, attempts: 1, answered: 0, human: 0, machine: 0, success: 0, talkSeconds: 0 },
      ],
    });
    const other = await anAccount();
    expect((await api.get(`/v1/stats?by=hour&${days}`, { token: other.token })).body).toMatchObject({ rows: [] });
  });

  test('without parameters it is the last thirty days, by day', async () => {
    const { token } = await anAccount();
    const { body } = await api.get('/v1/stats', { token });
    const { from, to } = body as { from: string; to: string };
    expect(body).toEqual({ from, to, by: 'day', rows: [] });
    expect(Date.parse(to) - Date.parse(from)).toBe(29 * 86_400_000);
  });

  test('without parameters the last day is that of callees whose next day has begun, folded or not', async () => {
    const { account, token } = await anAccount();
    const dayMs = 86_400_000;
    const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
    const today = dayOf(Date.now());
    const tomorrow = dayOf(Date.parse(today) + dayMs);
    await aCall(account.id, 'answered', 'human', `${today}T23:00`);
    expect((await api.get('/v1/stats', { token })).body).toMatchObject({ to: today, rows: [{ key: today }] });
    await aCall(account.id, 'answered', 'human', `${tomorrow}T09:00`);
    for (const fold of [false, true]) {
      if (fold) await foldFigures(here().database.db);
      const { body } = await api.get('/v1/stats', { token });
      expect(body).toMatchObject({
        ...{ from: dayOf(Date.parse(tomorrow) - 29 * dayMs), to: tomorrow },
        rows: [
          { key: today, attempts: 1 },
          { key: tomorrow, attempts: 1 },
        ],
      });
    }
  });
});

describe('400', () => {
  test('days that end before they begin, more than 366 of them, and what is no date or key are refused with the remedy', async () => {
    const refusal = async (query: string) => JSON.stringify((await api.get(`/v1/stats?${query}`)).body);
    expect(await refusal('from=2027-03-02&to=2027-03-01')).toContain('must not be before from');
    expect(await refusal('from=2026-01-01&to=2027-01-02')).toContain('less than 366 days after from');
    expect((await api.get('/v1/stats?from=2026-01-01&to=2027-01-01')).status).toBe(200);
    expect(await refusal('from=yesterday')).toContain('YYYY-MM-DD');
    expect(await refusal('by=variant')).toContain('by');
  });
});

import { sql } from 'kysely';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { foldFigures } from '../../../db/queries/dialer/fold-figures.js';
import { aRoute } from '../batch-calls/support.js';
import { anAccount, api, here } from '../support.js';

/** A call that was dialed, answered and ended at these instants of a day. */
async function aCall(accountId: string, type: 'outbound' | 'inbound', times: readonly string[]): Promise<void> {
  const { db } = here().database;
  const route = await aRoute({ accountId });
  const id = v7();
  const [dialed, answered, ended] = times.map((time) => `2026-03-01T${time}Z`);
  await sql`
    insert into calls (id, account_id, position, type, to_number, from_number, rule_id, gateway_id)
    values (${id}, ${accountId}, 0, ${type}, '+14155550123', ${route.phoneNumber}, ${route.ruleId}, ${route.gatewayId})`.execute(
    db,
  );
  await sql`
    insert into call_attempts (call_id, number, account_id, gateway_id, to_number, phase, outcome, due_at, dialed_at, answered_at,
      ended_at)
    values (${id}, 1, ${accountId}, ${route.gatewayId}, '+14155550123', 'ended', 'answered', now(), ${dialed}, ${answered},
      ${ended})`.execute(db);
  await sql`update calls set status = 'answered', attempts_made = 1, ended_at = ${ended} where id = ${id}`.execute(db);
}

describe('200', () => {
  test('outbound calls of the account are counted in each step, and nobody else’s', async () => {
    const { account, token } = await anAccount();
    await aCall(account.id, 'outbound', ['09:00:59', '09:01:00', '09:59:59']);
    await aCall(account.id, 'outbound', ['09:30:00', '09:30:05', '10:00:00']);
    await aCall(account.id, 'inbound', ['09:30:00', '09:30:05', '10:00:00']);
    const path = '/v1/stats/timeline?step=3600&from=2026-03-01T09:15:00Z&to=2026-03-01T11:00:00Z';
    const points = [
      { at: '2026-03-01T09:00:00.000Z', dialed: 2, answered: 2, ended: 1, live: 1 },
      { at: '2026-03-01T10:00:00.000Z', dialed: 0, answered: 0, ended: 1, live: 0 },
    ];
    expect((await api.get(path, { token })).body).toEqual({ step: 3_600, points });
    await foldFigures(here().database.db);
    expect((await api.get(path, { token })).body).toEqual({ step: 3_600, points });
    const other = await anAccount();
    const { body } = await api.get(path, { token: other.token });
    expect(body).toMatchObject({ points: [{ dialed: 0, live: 0 }, { dialed: 0 }] });
  });

  test('without from it is the last 24 hours, or those before to, and it ends now', async () => {
    const { token } = await anAccount();
    const { body } = await api.get('/v1/stats/timeline', { token });
    const { step, points } = body as { step: number; points: { at: string }[] };
    expect(step).toBe(60);
    expect(points.length).toBeGreaterThanOrEqual(1_440);
    expect(points.length).toBeLessThanOrEqual(1_442);
    const day = await api.get('/v1/stats/timeline?step=3600&to=2026-03-01', { token });
    expect((day.body as { points: { at: string }[] }).points.map((point) => point.at)).toHaveLength(24);
    const future = await api.get('/v1/stats/timeline?from=2096-01-01&to=2096-01-02', { token });
    expect(future.body).toEqual({ step: 60, points: [] });
  });
});

describe('400', () => {
  test('a step of which there are too many is refused with the one that fits', async () => {
    const { status, body } = await api.get('/v1/stats/timeline?step=60&from=2026-01-01&to=2026-01-31');
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('must be 3600 or more');
  });
});

import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { api, here } from '../../support.js';
import { aBatch } from '../support.js';

describe('200: what holds a batch', () => {
  /** What both the list and the batch itself say of these fields. */
  async function saysOf(batchId: string, ...fields: readonly string[]): Promise<Record<string, unknown>> {
    const page = (await api.get(`/v1/batch-calls?search=${batchId}`)).body as { data: Record<string, unknown>[] };
    const one = (await api.get(`/v1/batch-calls/${batchId}`)).body as Record<string, unknown>;
    const pick = (body: Record<string, unknown> | undefined) =>
      Object.fromEntries(
        fields.filter((field) => body !== undefined && field in body).map((field) => [field, body?.[field]]),
      );
    expect(pick(page.data[0])).toEqual(pick(one));
    return pick(one);
  }

  const day = 86_400_000;
  const hhmm = (instant: number): string => new Date(instant).toISOString().slice(11, 16);

  /** A running batch with a window from one to two hours from now, in UTC, on every day. */
  async function aBatchBeforeItsWindow(timezone: string): Promise<{ batchId: string; opensAt: Date }> {
    const { batchId } = await aBatch({ counts: { pending: 2 } });
    const opensAt = new Date(Math.floor((Date.now() + 3_600_000) / 60_000) * 60_000);
    const window = { from: hhmm(opensAt.getTime()), until: hhmm(opensAt.getTime() + 3_600_000), timezone };
    await sql`update batches set timezone = 'UTC', calling_window = ${JSON.stringify({ ...window, daysOfWeek: [1, 2, 3, 4, 5, 6, 7] })}::jsonb
    where id = ${batchId}`.execute(here().database.db);
    return { batchId, opensAt };
  }

  /** Puts a call of the batch in the queue, of a callee with these zones. */
  async function queueCall(batchId: string, position: number, zones: readonly string[]): Promise<void> {
    const { db } = here().database;
    const id = uuidv7();
    await sql`insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id, time_zones)
    select ${id}, account_id, id, ${position}, ${`+1202555${String(1000 + position)}`}, from_number, rule_id, gateway_id, agent_id,
      ${[...zones]}::text[] from batches where id = ${batchId}`.execute(db);
    await sql`insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, due_at)
    select ${id}, 1, account_id, id, gateway_id, ${position}, ${`+1202555${String(1000 + position)}`}, clock_timestamp()
    from batches where id = ${batchId}`.execute(db);
  }

  test('a batch in a list says whether it is paused and why, and its counts, as the batch itself does', async () => {
    const paused = await aBatch({ paused: 'paused_by_user', counts: { pending: 3, answered: 2 } });
    expect(await saysOf(paused.batchId, 'paused', 'pausedReason', 'counts')).toMatchObject({
      ...{ paused: true, pausedReason: 'paused_by_user', counts: { pending: 3, answered: 2, failed: 0 } },
    });
    const running = await aBatch({ counts: { pending: 1 } });
    expect(await saysOf(running.batchId, 'paused', 'pausedReason')).toEqual({ paused: false });
    await sql`update agents set status = 'inactive', deployment_id = null where id = ${running.route.agentId}`.execute(
      here().database.db,
    );
    expect(await saysOf(running.batchId, 'paused', 'pausedReason')).toEqual({
      ...{ paused: true, pausedReason: 'agent_inactive' },
    });
  });

  describe('a running batch whose calling window is closed says when it opens', () => {
    test('by the clock of the window', async () => {
      const { batchId, opensAt } = await aBatchBeforeItsWindow('UTC');
      expect(await saysOf(batchId, 'callingWindowOpensAt')).toEqual({ callingWindowOpensAt: opensAt.toISOString() });
    });

    test('by the clocks of those who come next: the first opening of them, in all zones of a callee', async () => {
      const { batchId, opensAt } = await aBatchBeforeItsWindow('recipient');
      expect(await saysOf(batchId, 'callingWindowOpensAt')).toEqual({});
      // UTC+3 all year: this callee's window was open two hours ago, and is next tomorrow.
      await queueCall(batchId, 1, ['Africa/Nairobi']);
      const later = new Date(opensAt.getTime() - 3 * 3_600_000 + day).toISOString();
      expect(await saysOf(batchId, 'callingWindowOpensAt')).toEqual({ callingWindowOpensAt: later });
      await queueCall(batchId, 2, ['UTC']);
      expect(await saysOf(batchId, 'callingWindowOpensAt')).toEqual({ callingWindowOpensAt: opensAt.toISOString() });
      // UTC+1 all year: the hour has come there already, so someone can be called.
      await queueCall(batchId, 3, ['Africa/Lagos']);
      expect(await saysOf(batchId, 'callingWindowOpensAt')).toEqual({});
    });

    test('not while it is open, or after the end of the batch', async () => {
      const { batchId } = await aBatchBeforeItsWindow('UTC');
      const { db } = here().database;
      await sql`update batches set status = 'completed', completed_at = now() where id = ${batchId}`.execute(db);
      expect(await saysOf(batchId, 'callingWindowOpensAt')).toEqual({});
      await sql`update batches set status = 'running', completed_at = null,
      calling_window = '{"from":"00:00","until":"24:00","daysOfWeek":[1,2,3,4,5,6,7],"timezone":"UTC"}' where id = ${batchId}`.execute(
        db,
      );
      expect(await saysOf(batchId, 'callingWindowOpensAt')).toEqual({});
    });
  });
});

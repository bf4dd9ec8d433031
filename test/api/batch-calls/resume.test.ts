import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Db } from '../../../db/client.js';
import { dialChannel } from '../../../db/queries/dialer/wake-gateways.js';
import { finishedStatuses } from '../../../domain/batch/batch-call.js';
import { api, here } from '../support.js';
import { aBatch, outboxOf, type Route } from './support.js';

describe('200', () => {
  const resume = async (batchId: string) => {
    const { status, body } = await api.post(`/v1/batch-calls/${batchId}/resume`);
    return { status, body };
  };

  // shows: batches.pause
  test.each(['parsing', 'scheduled', 'running', 'cancelling'] as const)(
    'a paused batch that is %s goes on, and keeps its status',
    async (status) => {
      const { batchId } = await aBatch({ status, paused: 'paused_by_user' });
      const { status: answered, body } = await resume(batchId);
      expect(answered).toBe(200);
      expect(body).toMatchObject({ batchId, status, paused: false });
      expect(body).not.toHaveProperty('pausedReason');
    },
  );

  test('resuming what is not paused changes nothing', async () => {
    const { batchId } = await aBatch();
    const before = (await api.get(`/v1/batch-calls/${batchId}`)).body;
    expect(await resume(batchId)).toEqual({ status: 200, body: before });
  });

  test('the dialers of its gateway hear of it', async () => {
    const { batchId, route } = await aBatch({ paused: 'paused_by_user' });
    await sql`update gateway_admission set next_claim_at = 'infinity' where gateway_id = ${route.gatewayId}`.execute(
      here().database.db,
    );
    const listener = new pg.Client({ connectionString: here().database.pool.options.connectionString });
    await listener.connect();
    await listener.query(`listen ${dialChannel}`);
    const heard = new Promise((resolve) => listener.once('notification', ({ payload }) => resolve(payload)));

    await resume(batchId);

    expect(await heard).toBe(route.gatewayId);
    await listener.end();
  });

  describe('what cannot be used any more keeps it paused, for that reason', () => {
    const losses: [string, string, (db: Db, route: Route) => Promise<unknown>][] = [
      [
        'the agent',
        'agent_inactive',
        (db, { agentId }) =>
          sql`update agents set status = 'inactive', deployment_id = null where id = ${agentId}`.execute(db),
      ],
      [
        'the gateway',
        'gateway_unavailable',
        (db, { phoneNumberId }) => sql`delete from number_gateways where number_id = ${phoneNumberId}`.execute(db),
      ],
      [
        'the rule',
        'rule_unavailable',
        (db, { ruleId }) => sql`delete from rule_numbers where rule_id = ${ruleId}`.execute(db),
      ],
    ];

    // shows: batch.rechecked
    test.each(losses)('%s', async (_what, pausedReason, lose) => {
      const { batchId, route } = await aBatch({ paused: 'paused_by_user' });
      await lose(here().database.db, route);
      const { status, body } = await resume(batchId);
      expect(status).toBe(200);
      expect(body).toMatchObject({ paused: true, pausedReason, pausedDetails: expect.any(String) });
    });
  });
});

describe('409', () => {
  // shows: batches.pause.409
  test.each(finishedStatuses)('a batch that is %s takes no resume, and stays as it is', async (status) => {
    const { batchId } = await aBatch({ status });
    const before = (await api.get(`/v1/batch-calls/${batchId}`)).body;

    const response = await api.post(`/v1/batch-calls/${batchId}/resume`);

    expect({ status: response.status, body: response.body }).toEqual({
      status: 409,
      body: { error: expect.any(String) },
    });
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toEqual(before);
    expect(await outboxOf(batchId)).toEqual([]);
  });
});

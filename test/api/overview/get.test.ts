import { sql } from 'kysely';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { announceAgentWorker } from '../../../db/queries/agents/workers.js';
import { aBatch, aRoute, type Route } from '../batch-calls/support.js';
import { anAccount, api, here, withoutDialer } from '../support.js';

const db = () => here().database.db;

/** Calls of a batch, each with an attempt in this phase. */
async function calls(route: Route, batchId: string | null, phase: string, count: number, accountId: string) {
  await sql`
    with made as (
      insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id)
      select uuidv7(), ${accountId}, ${batchId}, ${Math.floor(Math.random() * 1e8)}::integer + i,
        '+1202' || lpad((random() * 9999999)::integer::text, 7, '0'), ${route.phoneNumber}, ${route.ruleId}, ${route.gatewayId}
      from generate_series(1, ${count}::integer) i
      returning id, account_id, batch_id, to_number, gateway_id
    )
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, phase, due_at, claimed_by)
    select id, 1, account_id, batch_id, gateway_id, to_number, ${phase}, now() - interval '1 minute', ${v7()} from made`.execute(
    db(),
  );
}

const overview = async (token?: string) => {
  const { status, body } = await api.get('/v1/overview', token === undefined ? {} : { token });
  expect(status).toBe(200);
  return body as { readonly gateways: readonly { readonly gatewayId: string }[] };
};

describe('200', () => {
  const nothing = {
    at: expect.stringMatching(/Z$/),
    batches: {
      ...{ parsing: 0, parse_failed: 0, scheduled: 0, running: 0, cancelling: 0, cancelled: 0, completed: 0 },
      paused: 0,
    },
    liveCalls: { total: 0, dialing: 0, ringing: 0, answered: 0 },
    callsInLastMinute: 0,
    agentSlots: [{ region: 'default', used: 0, free: 0, reserved: 0, most: 0 }],
    gateways: [],
    oldestDue: null,
    webhookBacklog: { count: 0, oldestAt: null },
    workerVersions: [],
    warnings: [],
  };

  test('an account that does nothing has an overview of nothing', async () => {
    expect(await overview()).toEqual(nothing);
  });

  // shows: overview.get
  test('what an account dials and what holds it is shown, and nothing of it to another account', async () => {
    const accountId = here().me.account.id;
    const { batchId, route } = await aBatch({ status: 'running', counts: { pending: 2 } });
    const paused = await aBatch({ status: 'running', paused: 'paused_by_user' });
    await calls(paused.route, paused.batchId, 'queued', 1, accountId);
    await aBatch({ status: 'completed' });
    await calls(route, batchId, 'queued', 2, accountId);
    await calls(route, batchId, 'claimed', 1, accountId);
    await calls(route, batchId, 'ringing', 2, accountId);
    await calls(route, null, 'answered', 1, accountId);
    await announceAgentWorker(db(), {
      id: 'worker',
      region: 'default',
      slots: 10,
      mostSlots: 16,
      used: 0,
      state: 'ready',
    });
    // One that drains takes no more, and is none of those that will.
    await announceAgentWorker(db(), {
      id: 'old',
      region: 'default',
      slots: 0,
      mostSlots: 8,
      used: 2,
      state: 'draining',
    });
    const suspendedAt = new Date('2026-11-22T10:00:00Z');
    await sql`update gateway_admission set suspended_since = ${suspendedAt}, suspended_reason = 'credentials refused',
      probe_at = ${suspendedAt} where gateway_id = ${route.gatewayId}`.execute(db());
    await sql`insert into recent_dials (gateway_id, at, slot, dials) values
      (${route.gatewayId}, date_bin('5 seconds', now(), 'epoch') - interval '5 seconds', 0, 20),
      (${route.gatewayId}, date_bin('5 seconds', now(), 'epoch') - interval '40 seconds', 1, 7),
      (${route.gatewayId}, date_bin('5 seconds', now(), 'epoch') - interval '70 seconds', 0, 100)`.execute(db());
    await sql`insert into webhook_deliveries (id, account_id, batch_id, event, endpoint, payload, created_at) values
      (${`whd_${v7()}`}, ${accountId}, ${batchId}, 'batchcall-started', 'https://example.com', '{}', ${suspendedAt})`.execute(
      db(),
    );

    const mine = await overview();
    expect(mine).toMatchObject({
      batches: { running: 2, completed: 1, paused: 1, scheduled: 0 },
      liveCalls: { total: 3, dialing: 0, ringing: 2, answered: 1 },
      callsInLastMinute: 27,
      agentSlots: [{ region: 'default', used: 4, free: 6, reserved: 0, most: 16 }],
      oldestDue: { batchId },
      webhookBacklog: { count: 1, oldestAt: suspendedAt.toISOString() },
    });
    expect(mine.gateways.find(({ gatewayId }) => gatewayId === route.gatewayId)).toEqual({
      gatewayId: route.gatewayId,
      name: 'Gateway',
      liveCalls: 3,
      maxConcurrentCalls: 50,
      reservedCalls: 0,
      callsPerSecond: 1,
      callsPerSecondUsed: 2,
      callsInLastMinute: 27,
      suspended: {
        since: suspendedAt.toISOString(),
        reason: 'credentials refused',
        triedAgainAt: suspendedAt.toISOString(),
      },
    });

    const { account, token } = await anAccount('Another account');
    expect(await overview(token)).toEqual({
      ...nothing,
      agentSlots: [{ region: 'default', used: 0, free: 6, reserved: 0, most: 16 }],
    });

    const waitingFor = async () =>
      ((await api.get(`/v1/batch-calls/${batchId}`)).body as { waitingFor: string }).waitingFor;
    const noDialer = 'No dialer runs, so nobody is called.';
    expect(await waitingFor()).not.toContain(noDialer);
    await withoutDialer(async () => {
      expect(await waitingFor()).toContain(noDialer);
      expect(await overview(token)).toMatchObject({ warnings: [noDialer] });
    });

    const unsent = 'No call has left through the gateway Gateway since ';
    await sql`
      update gateway_admission set unsent_since = now() - interval '1 minute', unsent_at = now(), unsent_reason = 'provider_busy'
      where gateway_id = ${route.gatewayId}`.execute(db());
    expect(await overview()).toMatchObject({ warnings: [] });
    await sql`update gateway_admission set suspended_since = null where gateway_id = ${route.gatewayId}`.execute(db());
    expect(await overview()).toMatchObject({ warnings: [expect.stringContaining(unsent)] });
    expect(await overview(token)).toMatchObject({ warnings: [] });
    expect(await waitingFor()).toContain('the telephony server is at its limit');

    const theirs = await aRoute({ accountId: account.id });
    await announceAgentWorker(db(), { id: 'worker', region: 'default', slots: 10, used: 0, state: 'ready' });
    await calls(theirs, null, 'answered', 2, account.id);
    expect(await overview()).toMatchObject({
      liveCalls: { total: 3 },
      agentSlots: [{ region: 'default', used: 4, free: 4, reserved: 0, most: 10 }],
    });
  });
});

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { noCalls } from '../../../domain/batch/batch-call.js';
import { noVersions } from '../../../domain/workflow/worker-versions.js';
import { anotherApp, api, here } from '../support.js';
import { aBatch, findsNoneOf } from './support.js';

describe('200', () => {
  const get = async (batchId: string) => {
    const { status, body } = await api.get(`/v1/batch-calls/${batchId}`);
    expect(status).toBe(200);
    return body;
  };

  // shows: batch.get, batches.get
  test('a running batch shows how far it is', async () => {
    const { batchId, route } = await aBatch({
      counts: { pending: 2, dialing: 1, answered: 3, 'not-answered': 2 },
      rejected: 4,
    });

    expect(await get(batchId)).toEqual({
      batchId,
      report: { unfilledPlaceholders: [] },
      batchName: 'Batch',
      phoneNumberId: route.phoneNumberId,
      phoneNumber: route.phoneNumber,
      routingRuleId: route.ruleId,
      status: 'running',
      timing: 'immediate',
      timezone: 'Asia/Calcutta',
      retry: { enabled: false, retryOn: [], retryDelays: [], maxAttempts: 0 },
      recordsUploaded: 8,
      recordsRejected: 4,
      recordsCorrected: 0,
      parseError: null,
      file: { filename: 'people.csv', extension: 'csv', key: expect.stringMatching(/^file_/) },
      timestamp: expect.any(Number),
      startsAt: expect.any(String),
      open: false,
      priority: 5,
      unfilledPlaceholders: 'allow',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      paused: false,
      simulated: false,
      progress: 62,
      counts: { ...noCalls, pending: 2, dialing: 1, answered: 3, 'not-answered': 2 },
      waiting: { total: 2, reasons: [{ reason: 'not_queued', count: 2, until: null }] },
      waitingFor: '2 wait for a worker to put them into the queue.',
    });
  });

  test('what its recipients wait for is counted and said', async () => {
    const { batchId, route } = await aBatch({ counts: { pending: 1_200, retrying: 34, answered: 5 } });
    await sql`update gateways set max_concurrent_calls = 3 where id = ${route.gatewayId}`.execute(here().database.db);
    expect(await get(batchId)).toMatchObject({
      waiting: {
        total: 1_234,
        reasons: [
          { reason: 'gateway_rate', count: 1_232, until: expect.stringMatching(/Z$/) },
          { reason: 'not_queued', count: 2, until: null },
        ],
      },
      waitingFor:
        '1,232 wait for their turn at the calls per second of the gateway; 2 for a worker to put them into the queue.',
    });
  });

  test('a file that is not read yet says whether it is being read, or whose turn it is', async () => {
    const { db } = here().database;
    const [first, second] = [await aBatch({ status: 'parsing' }), await aBatch({ status: 'parsing' })];
    const before = 'Its file is read after an older one of the account.';
    expect(await get(first.batchId)).toMatchObject({ waitingFor: 'Its file waits to be read.' });
    expect(await get(second.batchId)).toMatchObject({ waitingFor: before });
    await sql`update batches set parse_reader = 'somebody' where id = ${first.batchId}`.execute(db);
    expect(await get(first.batchId)).toMatchObject({ waitingFor: 'Its file is being read.' });
    await sql`delete from batches where id = ${first.batchId}`.execute(db);
    expect(await get(second.batchId)).toMatchObject({ waitingFor: 'Its file waits to be read.' });
    await sql`delete from batches where id = ${second.batchId}`.execute(db);
  });

  test('a batch whose files and retries wait for Temporal or a worker says so, until it is over', async () => {
    const running = await aBatch({ status: 'running' });
    const over = await aBatch({ status: 'completed' });
    const workers = () => ({ ...noVersions, missing: 'worker' as const });
    const temporal = { kick: () => undefined, isReachable: () => Promise.resolve(true), workers };
    const app = await anotherApp({ temporal });
    const waitingFor = async ({ batchId }: { readonly batchId: string }) =>
      ((await api.get(`/v1/batch-calls/${batchId}`, { app })).body as { waitingFor: string }).waitingFor;
    expect(await waitingFor(running)).toMatch(/^No worker runs: /);
    expect(await waitingFor(over)).toBe('No call waits.');
  });

  test('nothing of a batch that is over waits', async () => {
    const { batchId } = await aBatch({ status: 'completed', counts: { answered: 5 } });
    expect(await get(batchId)).toMatchObject({ waiting: { total: 0, reasons: [] }, waitingFor: 'No call waits.' });
  });

  // shows: batch.parse-error
  test('a file that cannot be used is explained', async () => {
    const { batchId } = await aBatch({ status: 'parse_failed' });
    expect(await get(batchId)).toMatchObject({
      status: 'parse_failed',
      parseError: 'The file has no rows.',
      progress: 0,
      counts: noCalls,
      completedAt: expect.stringMatching(/Z$/),
    });
  });

  // shows: batch.records-uploaded
  test('before its file is read a batch has no calls', async () => {
    const { batchId } = await aBatch({ status: 'parsing' });
    expect(await get(batchId)).toMatchObject({ status: 'parsing', recordsUploaded: 0, progress: 0, counts: noCalls });
  });

  test('what was set for it is shown', async () => {
    const { batchId } = await aBatch();
    const callingWindow = { from: '09:00', until: '20:00', daysOfWeek: [1, 2], timezone: 'recipient' };
    await sql`update batches set calling_window = ${JSON.stringify(callingWindow)}, max_concurrent_calls = 3,
    retried_from = 'batch_1', started_at = '2026-11-21T10:00:00Z' where id = ${batchId}`.execute(here().database.db);
    expect(await get(batchId)).toMatchObject({
      callingWindow,
      maxConcurrentCalls: 3,
      retriedFrom: 'batch_1',
      startedAt: '2026-11-21T10:00:00.000Z',
    });
  });

  describe('what holds a batch is shown as a pause with its reason', () => {
    // shows: batches.get
    test('a pause', async () => {
      const { batchId } = await aBatch({ paused: 'paused_by_user' });
      expect(await get(batchId)).toMatchObject({ status: 'running', paused: true, pausedReason: 'paused_by_user' });
    });

    test('a suspended gateway, in the words of the carrier', async () => {
      const { batchId, route } = await aBatch();
      await sql`update gateway_admission set suspended_since = now(), suspended_reason = '403 Trunk disabled'
      where gateway_id = ${route.gatewayId}`.execute(here().database.db);
      expect(await get(batchId)).toMatchObject({
        paused: true,
        pausedReason: 'gateway_suspended',
        pausedDetails: '403 Trunk disabled',
      });
    });

    test('an agent that was undeployed, of a batch that runs', async () => {
      const [running, waiting] = [await aBatch(), await aBatch({ status: 'scheduled' })];
      for (const { route } of [running, waiting]) {
        await sql`update agents set status = 'inactive', deployment_id = null where id = ${route.agentId}`.execute(
          here().database.db,
        );
      }
      expect(await get(running.batchId)).toMatchObject({ paused: true, pausedReason: 'agent_inactive' });
      expect(await get(waiting.batchId)).toMatchObject({ paused: false });
    });

    test.each([
      ['has said nothing for long', { seen_at: new Date(0) }],
      ['is still warming up', { state: 'warming' }],
      ['is of another region', { region: 'eu' }],
    ])('a region without agent workers: the only one %s', async (_how, change) => {
      const { batchId } = await aBatch();
      const { db } = here().database;
      expect(await get(batchId)).toMatchObject({ paused: false });
      await db.updateTable('agent_workers').set(change).execute();
      expect(await get(batchId)).toMatchObject({
        ...{ status: 'running', paused: true, pausedReason: 'no_agent_worker' },
        pausedDetails: 'No agent worker of the region default is ready. Calls go on when one is.',
      });
      const simulated = await anotherApp({ env: { ...here().deps.env, OUTDIAL_PROVIDER: 'simulator' } });
      const { body } = await api.get(`/v1/batch-calls/${batchId}`, { app: simulated });
      expect(body).toMatchObject({ paused: false });
    });

    test('an account that has stopped all dialing', async () => {
      const { batchId } = await aBatch();
      const { db } = here().database;
      await sql`update accounts set dialing_stopped_at = now() where id = ${here().me.account.id}`.execute(db);
      expect(await get(batchId)).toMatchObject({ paused: true, pausedReason: 'dialing_stopped' });
      await sql`update accounts set dialing_stopped_at = null where id = ${here().me.account.id}`.execute(db);
    });
  });
});

describe('404', () => {
  // shows: batch.get.404, errors.batch-404
  test("another account's batch, an unknown one and what is no id are not found in the same words", () =>
    findsNoneOf((batchUrl) => api.get(batchUrl)));
});

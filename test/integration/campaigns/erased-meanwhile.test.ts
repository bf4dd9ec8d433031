import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runOnce } from '../../../activities/campaigns.js';
import { batchIdOfRun } from '../../../domain/campaign/run.js';
import { aCampaign, post } from '../../api/campaigns/support.js';
import { aNumber, rowsOf } from '../../api/support-resources.js';
import { api, here, useApi } from '../../api/support.js';
import { lockWaits } from '../../setup/lock-waits.js';

useApi();

/** Resolves when so many statements wait for a lock. */
const waiting = (count: number) => expect.poll(() => lockWaits(here().database.pool)).toBeGreaterThanOrEqual(count);

// shows: contacts.erase
test('a person whom a run of a campaign takes while they are erased is found in the batch call that it makes', async () => {
  const { db } = here().database;
  const accountId = here().me.account.id;
  const campaignId = await aCampaign();
  const number = aNumber();
  await post(campaignId, [{ phoneNumber: number, metadata: { name: 'Ada Abbott' } }]);
  const dueAt = new Date('2026-03-02T14:00:00Z');
  const key = { accountId, campaignId, dueAt };
  let run: Promise<unknown> | undefined;
  let erasure: ReturnType<typeof api.delete> | undefined;
  await db.transaction().execute(async (tx) => {
    // The run has locked its campaign when it comes to this lock.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`quota of ${accountId}`}, 0))`.execute(tx);
    const quotas = { mostOpenBatches: 1_000, mostStoredBytes: 1e9 };
    run = runOnce(db, key, { quotas, simulated: true, now: dueAt, isManual: false });
    await waiting(1);
    erasure = api.delete(`/v1/contacts/${number}`);
    await waiting(2);
  });
  expect(await run).toBe('made');
  const response = await erasure!;
  expect({ status: response.status, body: response.body }).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining(batchIdOfRun(key)) as string },
  });
  const files = await rowsOf<{ bytes: Buffer }>('select bytes from batch_files where batch_id = $1', [
    batchIdOfRun(key),
  ]);
  expect(files[0]?.bytes.toString()).toContain(number);
});

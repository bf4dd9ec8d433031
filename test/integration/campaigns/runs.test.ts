import { describe, expect, test } from 'vitest';
import { runOnce } from '../../../activities/campaigns.js';
import { batchIdOfRun } from '../../../domain/campaign/run.js';
import { aCampaign, post, shownOf } from '../../api/campaigns/support.js';
import { aRoute } from '../../api/batch-calls/support.js';
import { aNumber, anAgent, rowsOf } from '../../api/support-resources.js';
import { anAccount, api, here, useApi } from '../../api/support.js';

useApi();

const quotas = { mostOpenBatches: 1_000, mostStoredBytes: 1e9 };
const due = new Date('2026-03-02T14:00:00Z');

const keyOf = (campaignId: string, dueAt = due) => ({ accountId: here().me.account.id, campaignId, dueAt });
interface Asked {
  readonly dueAt?: Date;
  readonly now?: Date;
  readonly isManual?: boolean;
}
const run = (campaignId: string, { dueAt = due, now, isManual = false }: Asked = {}) =>
  runOnce(here().database.db, keyOf(campaignId, dueAt), { quotas, simulated: true, now: now ?? dueAt, isManual });

/** What the batch calls of a campaign have been given, by its runs in order of time. */
async function givenTo(campaignId: string): Promise<string[][]> {
  const files = await rowsOf<{ bytes: Buffer }>(
    `select f.bytes from campaign_runs r join batch_files f on f.batch_id = r.batch_id
     where r.campaign_id = $1 order by r.due_at`,
    [campaignId],
  );
  return files.map(({ bytes }) =>
    (JSON.parse(bytes.toString()) as { phoneNumber: string }[]).map(({ phoneNumber }) => phoneNumber),
  );
}

const runsOf = async (campaignId: string) =>
  ((await api.get(`/v1/campaigns/${campaignId}/runs`)).body as { data: object[] }).data;

async function aFullCampaign(people = 3, change: object = {}) {
  const campaignId = await aCampaign(change);
  const numbers = Array.from({ length: people }, () => aNumber());
  await post(
    campaignId,
    numbers.map((phoneNumber) => ({ phoneNumber, metadata: { z: '1', a: '2' } })),
  );
  return { campaignId, numbers };
}

describe('a run', () => {
  test('moves everyone who waits into a batch call by the template, in the order in which they were posted', async () => {
    const { campaignId, numbers } = await aFullCampaign();
    expect(await run(campaignId)).toBe('made');
    const batchId = batchIdOfRun(keyOf(campaignId));
    expect(await givenTo(campaignId)).toEqual([numbers]);
    expect(await shownOf(campaignId)).toMatchObject({ waiting: 0 });
    expect(await runsOf(campaignId)).toEqual([
      { dueAt: due.toISOString(), manual: false, outcome: 'made', batchId, recipients: 3 },
    ]);
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
      batchName: 'Missed appointments 2026-03-02 09:00',
      status: 'parsing',
    });
    expect(await rowsOf(`select name from outbox where workflow_id = $1`, [batchId])).toEqual([{ name: 'batchCall' }]);
  });

  test('without recipients makes no batch call and says so', async () => {
    const campaignId = await aCampaign();
    expect(await run(campaignId)).toBe('empty');
    expect(await runsOf(campaignId)).toMatchObject([{ outcome: 'empty', recipients: 0 }]);
  });

  test('whose answer is lost after the commit is found by the next try: no second batch call', async () => {
    const { campaignId, numbers } = await aFullCampaign();
    await run(campaignId);
    const late = [aNumber()];
    await post(
      campaignId,
      late.map((phoneNumber) => ({ phoneNumber })),
    );
    expect(await run(campaignId)).toBeNull();
    expect(await givenTo(campaignId)).toEqual([numbers]);
    expect(await shownOf(campaignId)).toMatchObject({ waiting: 1 });
    expect(await run(campaignId, { dueAt: new Date('2026-03-03T14:00:00Z') })).toBe('made');
    expect(await givenTo(campaignId)).toEqual([numbers, late]);
  });

  test('whose process dies in the middle of its transaction leaves nothing, and the next try makes it whole', async () => {
    const { campaignId, numbers } = await aFullCampaign();
    // The connection breaks when everyone has been moved and the run is about to be noted.
    await rowsOf(`create function die() returns trigger language plpgsql as $$ begin
      perform pg_terminate_backend(pg_backend_pid()); return new; end $$`);
    await rowsOf(`create trigger die before insert on campaign_runs for each row execute function die()`);
    try {
      await expect(run(campaignId)).rejects.toThrow();
    } finally {
      await rowsOf('drop trigger die on campaign_runs');
      await rowsOf('drop function die()');
    }
    expect(await givenTo(campaignId)).toEqual([]);
    expect(await shownOf(campaignId)).toMatchObject({ waiting: 3 });
    expect(await rowsOf('select 1 from batches where id = $1', [batchIdOfRun(keyOf(campaignId))])).toEqual([]);
    expect(await run(campaignId)).toBe('made');
    expect(await givenTo(campaignId)).toEqual([numbers]);
  });

  test('that two workers carry out at once, while others run it and more are posted, takes each recipient once', async () => {
    const { campaignId, numbers } = await aFullCampaign(50);
    const more = Array.from({ length: 20 }, () => aNumber());
    const other = new Date('2026-03-02T14:00:30Z');
    await Promise.all([
      run(campaignId),
      run(campaignId),
      run(campaignId, { dueAt: other, isManual: true }),
      ...more.map((phoneNumber) => post(campaignId, [{ phoneNumber }])),
    ]);
    await run(campaignId, { dueAt: new Date('2026-03-03T14:00:00Z') });
    const given = (await givenTo(campaignId)).flat();
    expect(given.toSorted()).toEqual([...numbers, ...more].toSorted());
  });

  test('that comes more than an hour late is left out, and who waits is called by the next one', async () => {
    const { campaignId } = await aFullCampaign();
    expect(await run(campaignId, { now: new Date(due.getTime() + 3_600_001) })).toBe('missed');
    expect(await shownOf(campaignId)).toMatchObject({ waiting: 3 });
    expect(await runsOf(campaignId)).toMatchObject([{ outcome: 'missed', problem: expect.any(String) }]);
  });

  test('of a paused campaign is made only if it is asked for', async () => {
    const { campaignId } = await aFullCampaign();
    await api.post(`/v1/campaigns/${campaignId}/pause`, {});
    expect(await run(campaignId)).toBeNull();
    expect(await run(campaignId, { isManual: true })).toBe('made');
  });

  test.each([
    ['agent is not active', `update agents set status = 'inactive', deployment_id = null`, 'not active'],
    ['account is suspended', `update accounts set suspended_at = now()`, 'suspended'],
  ])('whose %s fails with the reason, and keeps who waits', async (_what, statement, words) => {
    const { campaignId } = await aFullCampaign();
    await rowsOf(`begin; ${statement}; commit`);
    expect(await run(campaignId)).toBe('failed');
    await rowsOf(`update accounts set suspended_at = null`);
    expect(await runsOf(campaignId)).toMatchObject([{ outcome: 'failed', problem: expect.stringContaining(words) }]);
    expect(await shownOf(campaignId)).toMatchObject({ waiting: 3 });
  });

  test('with variants makes a batch call that has them, and says which one is not active any more', async () => {
    const agents = [await anAgent(), await anAgent()];
    const variants = agents.map((agentId) => ({ agentId, weight: 1 }));
    const { phoneNumber } = await aRoute();
    const { campaignId } = await aFullCampaign(3, { template: { phoneNumber, variants } });
    expect(await run(campaignId)).toBe('made');
    const batchId = batchIdOfRun(keyOf(campaignId));
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({ variants });

    await rowsOf(`update agents set status = 'inactive', deployment_id = null where id = $1`, [agents[1]]);
    await post(campaignId, [{ phoneNumber: aNumber() }]);
    const later = new Date('2026-03-03T14:00:00Z');
    expect(await run(campaignId, { dueAt: later })).toBe('failed');
    const [failed] = await runsOf(campaignId);
    expect(failed).toMatchObject({
      problem: expect.stringContaining('variants[1].agentId is an agent that is not active'),
    });
  });

  test('of a campaign that is another account’s, or gone, does nothing', async () => {
    const { campaignId } = await aFullCampaign();
    const { account } = await anAccount();
    const context = { quotas, simulated: true, now: due, isManual: false };
    expect(await runOnce(here().database.db, { ...keyOf(campaignId), accountId: account.id }, context)).toBeNull();
    await api.delete(`/v1/campaigns/${campaignId}`);
    expect(await run(campaignId)).toBeNull();
  });
});

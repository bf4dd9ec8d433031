import { ScheduleOverlapPolicy } from '@temporalio/client';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareStores } from '../../activities/watchdog.js';
import { cronProblem } from '../../domain/campaign/cron.js';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { formatId } from '../../domain/ids.js';
import { workflowIdOf } from '../../domain/workflow/ids.js';
import { createCampaignSchedules } from '../../worker/campaign-schedules.js';
import { aTenant } from './fixtures.js';
import { quietLogger, realTimeTestEnv, testSecretBox, type WorkflowTestEnv } from './test-env.js';

let testEnv: WorkflowTestEnv;
let tenant: Awaited<ReturnType<typeof aTenant>>;
beforeAll(async () => {
  testEnv = await realTimeTestEnv();
  tenant = await aTenant(testEnv.database.db, (id) => testSecretBox().seal('whsec_x', secretPlaces.webhookSecret(id)));
}, 120_000);
afterAll(() => testEnv.close());

/** A campaign as the API stores it, with one who waits; the test asks for its schedule. */
async function aCampaign(change: object = {}): Promise<string> {
  const campaignId = formatId('campaign', uuidv7());
  const { db } = testEnv.database;
  const template = JSON.stringify({ phoneNumber: tenant.number, routingRuleId: tenant.ruleId });
  const settings = { name: 'Daily', cron: '0 9 * * *', timezone: 'UTC', template, ...change };
  await db
    .insertInto('campaigns')
    .values({ id: campaignId, account_id: tenant.accountId, ...settings })
    .execute();
  const input = { phoneNumber: '+12025550123' };
  await db
    .insertInto('campaign_recipients')
    .values({
      ...{ campaign_id: campaignId, account_id: tenant.accountId, phone_number: input.phoneNumber },
      ...{ input: JSON.stringify(input), byte_size: 30 },
    })
    .execute();
  return campaignId;
}

async function schedule(campaignId: string, revision = 1): Promise<void> {
  const input = { accountId: tenant.accountId, campaignId, revision };
  await testEnv.workflows.start('scheduleCampaign', workflowIdOf('scheduleCampaign', input), input);
  await testEnv.client.workflow.getHandle(workflowIdOf('scheduleCampaign', input)).result();
}

const handleOf = (campaignId: string) => testEnv.client.schedule.getHandle(`${testEnv.taskQueue}/${campaignId}`);
const campaignOf = (campaignId: string) =>
  testEnv.database.db.selectFrom('campaigns').selectAll().where('id', '=', campaignId).executeTakeFirstOrThrow();
const runsOf = (campaignId: string) =>
  testEnv.database.db
    .selectFrom('campaign_runs')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .orderBy('due_at')
    .execute();

describe('the schedule of a campaign', () => {
  test('follows its cron and pauses with it; the campaign says when it runs next', async () => {
    const campaignId = await aCampaign();
    await schedule(campaignId);
    const { info } = await handleOf(campaignId).describe();
    expect((await campaignOf(campaignId)).next_run_at).toEqual(info.nextActionTimes[0]);
    expect(info.nextActionTimes[0]?.toISOString()).toMatch(/T09:00:00.000Z$/);
    await testEnv.database.db
      .updateTable('campaigns')
      .set({ cron: '30 8 * * *', paused: true })
      .where('id', '=', campaignId)
      .execute();
    await schedule(campaignId, 2);
    const changed = await handleOf(campaignId).describe();
    expect([changed.state.paused, changed.info.nextActionTimes[0]?.toISOString()]).toEqual([
      true,
      expect.stringMatching(/T08:30:00.000Z$/),
    ]);
    expect((await campaignOf(campaignId)).next_run_at).toBeNull();
    await testEnv.database.db.deleteFrom('campaigns').where('id', '=', campaignId).execute();
    await schedule(campaignId, 3);
    await expect(handleOf(campaignId).describe()).rejects.toThrow();
  });

  test('is that of a campaign which was stored with its zone in another casing', async () => {
    const campaignId = await aCampaign({ timezone: 'america/new_york' });
    await schedule(campaignId);
    const { info } = await handleOf(campaignId).describe();
    expect(info.nextActionTimes[0]?.toISOString()).toMatch(/T1[34]:00:00.000Z$/);
  });

  test('starts a run for each of its instants, with the instant of the clock: a day whose clocks skip it has none', async () => {
    // 02:30 does not exist in New York on 8 March 2026.
    const campaignId = await aCampaign({ cron: '30 2 * * *', timezone: 'America/New_York' });
    await schedule(campaignId);
    await handleOf(campaignId).backfill({
      start: new Date('2026-03-07T00:00:00Z'),
      end: new Date('2026-03-10T00:00:00Z'),
      overlap: ScheduleOverlapPolicy.ALLOW_ALL,
    });
    await testEnv.until(async () => (await runsOf(campaignId)).length >= 2);
    expect((await runsOf(campaignId)).map(({ due_at: at }) => at.toISOString())).toEqual([
      '2026-03-07T07:30:00.000Z',
      '2026-03-09T06:30:00.000Z',
    ]);
    // They are months late: nobody is called for them.
    expect((await runsOf(campaignId)).map(({ outcome }) => outcome)).toEqual(['missed', 'missed']);
    await handleOf(campaignId).delete();
  });

  test.each(['*/5 8-17 * * 1-5', '30 6 1,15 jan-mar mon', '0 0 * * 7', '0 0 1 1 0', '*/15 * * * SUN-TUE'])(
    'is taken by Temporal as “%s” wherever the API takes it',
    async (cron) => {
      expect(cronProblem(cron)).toBeNull();
      const campaignId = await aCampaign({ cron });
      await schedule(campaignId);
      expect((await campaignOf(campaignId)).next_run_at).not.toBeNull();
      await handleOf(campaignId).delete();
    },
  );

  test('that is triggered makes the batch call, whose workflow starts', async () => {
    const campaignId = await aCampaign();
    await schedule(campaignId);
    await handleOf(campaignId).trigger();
    await testEnv.until(async () => (await runsOf(campaignId)).length === 1);
    const [run] = await runsOf(campaignId);
    expect(run).toMatchObject({ outcome: 'made', recipients: 1 });
    await testEnv.outbox.sendDue();
    await testEnv.until(async () => {
      const { rows } = await testEnv.database.pool.query('select 1 from calls where batch_id = $1', [run?.batch_id]);
      return rows.length === 1;
    });
    await handleOf(campaignId).delete();
  });

  test('that Temporal has lost is made again by the watchdog, one without a campaign ends, and a forgotten run is carried out', async () => {
    const campaignId = await aCampaign();
    const { database, workflows, taskQueue, client } = testEnv;
    const campaignSchedules = createCampaignSchedules(client, taskQueue);
    const orphan = formatId('campaign', uuidv7());
    await campaignSchedules.put({
      accountId: tenant.accountId,
      campaignId: orphan,
      cron: '0 9 * * *',
      timezone: 'UTC',
      paused: false,
    });
    await testEnv.until(async () => (await campaignSchedules.list()).includes(orphan));
    const asked = { campaign_id: campaignId, account_id: tenant.accountId, due_at: new Date(), outcome: 'asked' };
    await database.db
      .insertInto('campaign_runs')
      .values({ ...asked, is_manual: true, created_at: new Date(Date.now() - 60_000) })
      .execute();
    await compareStores({ database, workflows, campaignSchedules, kickOutbox: () => undefined, logger: quietLogger });
    await testEnv.until(async () => (await campaignOf(campaignId)).next_run_at !== null);
    await expect(handleOf(orphan).describe()).rejects.toThrow();
    await testEnv.until(async () => (await runsOf(campaignId))[0]?.outcome === 'made');
    await handleOf(campaignId).delete();
  });
});

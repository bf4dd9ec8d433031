import { Client, Connection } from '@temporalio/client';
import { msToTs, requiredTsToMs } from '@temporalio/common/lib/time.js';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId } from '../../domain/ids.js';
import { createCampaignSchedules } from '../../worker/campaign-schedules.js';
import { clockChanges, instantOf } from '../setup/clock-changes.js';
import { temporalAddress } from '../setup/temporal.js';

const taskQueue = `clock-changes-${uuidv7()}`;
let client: Client;
beforeAll(async () => {
  client = new Client({ connection: await Connection.connect({ address: await temporalAddress() }) });
});
afterAll(() => client.connection.close());

// The console is asked for the same table in test/unit/console/campaign-clock-changes.test.ts.
test.each(clockChanges)(
  'Temporal’s schedule of a campaign in %s at “%s” has exactly these runs after %s, which the console shows',
  async (timezone, cron, from, runs) => {
    const schedules = createCampaignSchedules(client, taskQueue);
    const campaignId = formatId('campaign', uuidv7());
    // Paused, so that it starts nothing, whatever the hour is.
    await schedules.put({ accountId: 'acc_none', campaignId, cron, timezone, paused: true });
    const { startTime } = await client.workflowService.listScheduleMatchingTimes({
      namespace: client.options.namespace,
      scheduleId: `${taskQueue}/${campaignId}`,
      startTime: msToTs(Date.parse(from)),
      endTime: msToTs(Date.parse(runs.at(-1) ?? from)),
    });
    await schedules.remove(campaignId);
    expect(startTime.map((at) => new Date(requiredTsToMs(at, 'startTime')).toISOString())).toEqual(runs.map(instantOf));
  },
);

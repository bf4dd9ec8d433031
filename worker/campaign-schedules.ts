import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import type { CampaignSchedules, ScheduledCampaign } from '../activities/deps.js';
import type { RunCampaignInput } from '../domain/workflow/contract.js';
import { searchAttributesOf } from '../workflows/search-attributes.js';

/** How long one request to Temporal may take. */
const answerWithinMs = 5_000;

/**
 * Temporal's schedules of campaigns. A run is a matter of a second, so that two do not overlap but while Postgres is away; then the
 * next one waits for the first, and finds nobody left.
 */
export function createCampaignSchedules(
  client: Client,
  taskQueue: string,
  withinMs: number = answerWithinMs,
): CampaignSchedules {
  const prefix = `${taskQueue}/`;
  const handleOf = (campaignId: string) => client.schedule.getHandle(`${prefix}${campaignId}`);
  const soon = <T>(ask: () => Promise<T>): Promise<T> => client.withDeadline(Date.now() + withinMs, ask);
  const nextRun = async (campaignId: string): Promise<Date | null> => {
    try {
      const { info, state } = await soon(() => handleOf(campaignId).describe());
      return state.paused ? null : (info.nextActionTimes[0] ?? null);
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return null;
      throw error;
    }
  };
  return {
    async put(campaign) {
      const { campaignId, accountId, paused } = campaign;
      const described = optionsOf(campaign, taskQueue);
      try {
        await soon(() =>
          client.schedule.create({
            ...described,
            scheduleId: `${prefix}${campaignId}`,
            state: { paused },
            typedSearchAttributes: searchAttributesOf({ accountId }),
          }),
        );
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        await soon(() =>
          handleOf(campaignId).update((before) => ({ ...described, state: { ...before.state, paused } })),
        );
      }
      return nextRun(campaignId);
    },

    async remove(campaignId) {
      try {
        await soon(() => handleOf(campaignId).delete());
      } catch (error) {
        if (!(error instanceof ScheduleNotFoundError)) throw error;
      }
    },

    nextRun,

    async list() {
      const ids: string[] = [];
      const rest = client.schedule.list()[Symbol.asyncIterator]();
      for (;;) {
        const next = await soon(() => rest.next());
        if (next.done === true) return ids;
        const { scheduleId } = next.value;
        if (scheduleId.startsWith(`${prefix}camp_`)) ids.push(scheduleId.slice(prefix.length));
      }
    },
  };
}

function optionsOf({ accountId, campaignId, cron, timezone }: ScheduledCampaign, taskQueue: string) {
  const input: RunCampaignInput = { accountId, campaignId };
  return {
    spec: { cronExpressions: [cron], timezone },
    policies: { overlap: ScheduleOverlapPolicy.BUFFER_ONE, catchupWindow: '1 hour' as const },
    action: {
      type: 'startWorkflow' as const,
      workflowType: 'runCampaign',
      workflowId: `${campaignId}/run`,
      taskQueue,
      args: [input] as [RunCampaignInput],
      typedSearchAttributes: searchAttributesOf({ accountId }),
      staticSummary: `runCampaign ${campaignId}`,
    },
  };
}

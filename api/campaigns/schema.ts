import { z } from 'zod';
import type { CampaignRow } from '../../db/queries/campaigns/campaigns.js';
import type { RunRow } from '../../db/queries/campaigns/runs.js';
import { cronProblem } from '../../domain/campaign/cron.js';
import { runOutcomes } from '../../domain/campaign/run.js';
import { zoneProblem } from '../../domain/call/time-zone.js';
import { notFound } from '../../domain/errors.js';
import { instant, ownData, text } from '../fields.js';

export const campaignParams = z.object({ campaignId: z.string().describe('Id of the campaign, `camp_…`') });

export const campaignNotFound = () => notFound('Campaign not found');

const checked = (problemOf: (value: string) => string | null) =>
  z.string().superRefine((value, context) => {
    const problem = problemOf(value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

const cronWords =
  'Five fields: minute, hour, day of the month, month, day of the week. If both days are named, both must hold';

/** Fields of a campaign that a client may write, without their defaults. */
export const campaignFields = {
  name: text(200).describe('Name of the campaign'),
  cron: checked(cronProblem).describe(cronWords),
  timezone: checked(zoneProblem).describe('IANA name of the zone that cron is read in; default UTC'),
  template: ownData().describe(
    'Settings of its batch calls: the JSON body of POST /v1/batch-calls without recipients and schedule. Without name, ' +
      'batch calls are named for the campaign and the time of the run',
  ),
};

const example = {
  campaignId: 'camp_0198f6f2-5c1e-7d3a-9b1f-2f6f0f6f7a02',
  name: 'Missed appointments',
  cron: '0 9 * * 1-5',
  timezone: 'America/New_York',
  template: { phoneNumber: '+14155550100', callingWindow: { from: '09:00', until: '18:00' } },
  status: 'active' as const,
  waiting: 12,
  nextRunAt: '2026-03-03T14:00:00.000Z',
  createdAt: '2026-03-02T09:30:00.000Z',
  updatedAt: '2026-03-02T09:30:00.000Z',
};

export const CreateCampaign = z
  .strictObject({
    name: campaignFields.name,
    cron: campaignFields.cron,
    timezone: campaignFields.timezone.default('UTC'),
    template: campaignFields.template,
  })
  .meta({
    id: 'CreateCampaign',
    examples: [{ name: example.name, cron: example.cron, timezone: example.timezone, template: example.template }],
  });

export const UpdateCampaign = z
  .strictObject({
    name: campaignFields.name.optional(),
    cron: campaignFields.cron.optional(),
    timezone: campaignFields.timezone.optional(),
    template: campaignFields.template.optional(),
  })
  .meta({ id: 'UpdateCampaign', examples: [{ cron: '30 8 * * *' }] });

export const Campaign = z
  .strictObject({
    campaignId: z.string().describe('`camp_…`'),
    name: z.string().describe('Its name'),
    cron: z.string().describe('When it runs'),
    timezone: z.string().describe('The zone that cron is read in'),
    template: ownData().describe('Settings of its batch calls'),
    status: z.enum(['active', 'paused']).describe('A paused campaign takes recipients and does not run by itself'),
    waiting: z.int().describe('Recipients that wait for the next run'),
    nextRunAt: instant()
      .optional()
      .describe('When it runs next; omitted while it is paused, and for a moment after a change'),
    createdAt: instant().describe('When it was made'),
    updatedAt: instant().describe('When it was changed last'),
  })
  .meta({ id: 'Campaign', examples: [example] });

export const CampaignRun = z
  .strictObject({
    dueAt: instant().describe('The time of the schedule, or of the request'),
    manual: z.boolean().describe('Whether it was asked for'),
    outcome: z
      .enum(runOutcomes)
      .describe(
        'asked: it is about to be carried out; made: it made a batch call; empty: nobody waited; failed: see problem, those ' +
          'who wait are called by the next run; missed: the service was not there within an hour of its time',
      ),
    batchId: z.string().optional().describe('The batch call that it made'),
    recipients: z.int().describe('Recipients that moved into the batch call'),
    problem: z.string().optional().describe('Why it made no batch call'),
  })
  .meta({
    id: 'CampaignRun',
    examples: [
      {
        dueAt: '2026-03-02T14:00:00.000Z',
        manual: false,
        outcome: 'made',
        batchId: 'batch_0198f6f2-5c1e-7d3a-9b1f-2f6f0f6f7a01',
        recipients: 12,
      },
    ],
  });

const Stored = z.object({ template: ownData() });

export const campaignBody = (row: CampaignRow): z.output<typeof Campaign> => ({
  campaignId: row.id,
  name: row.name,
  cron: row.cron,
  timezone: row.timezone,
  template: Stored.parse(row).template,
  status: row.paused ? 'paused' : 'active',
  waiting: row.waiting,
  ...(row.next_run_at === null ? {} : { nextRunAt: row.next_run_at.toISOString() }),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

export const runBody = (row: RunRow): z.output<typeof CampaignRun> => ({
  dueAt: row.due_at.toISOString(),
  manual: row.is_manual,
  outcome: z.enum(runOutcomes).parse(row.outcome),
  ...(row.batch_id === null ? {} : { batchId: row.batch_id }),
  recipients: row.recipients,
  ...(row.problem === null ? {} : { problem: row.problem }),
});

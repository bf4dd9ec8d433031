import { z } from 'zod';
import type { ClientFlags } from '../commands/service-options.js';
import { type AddFlags, addRecipients } from './batch/add.js';
import { askOnce } from './ask-once.js';
import { clientOf, type Row } from './client.js';
import { wrongUsage } from './exit-codes.js';
import { listRows } from './list.js';
import { printDone, printOne, printRows, type Shown } from './output.js';
import { textOf } from './printable.js';
import { readGiven } from './request.js';

const columns: Shown['columns'] = {
  Id: 'campaignId',
  Name: 'name',
  Status: 'status',
  Cron: 'cron',
  Zone: 'timezone',
  Waiting: 'waiting',
  'Next run': 'nextRunAt',
};

const listed: Shown = { id: 'campaignId', columns };
const shown: Shown = { id: 'campaignId', columns: { ...columns, Template: 'template', Made: 'createdAt' } };
const runs: Shown = {
  id: 'batchId',
  columns: {
    Due: 'dueAt',
    'Asked for': ({ manual }) => (manual === true ? 'yes' : ''),
    Outcome: 'outcome',
    Recipients: 'recipients',
    'Batch call': 'batchId',
    Problem: 'problem',
  },
};

/** Fields that also say from which numbers is called. */
const otherNumbers = new Set(['phoneNumberId', 'phoneNumbers']);
const Template = z.looseObject({ template: z.looseObject({}) });

export interface CreateFlags extends ClientFlags {
  readonly name: string;
  readonly cron: string;
  readonly zone?: string;
  readonly from?: string;
  readonly template?: string;
  readonly idempotencyKey?: string;
}

/** The template of a file, or one that says no more than the number. @throws CommandFailed if it is no JSON object */
function templateOf({ from, template }: Pick<CreateFlags, 'from' | 'template'>): Row {
  if (from === undefined && template === undefined) throw wrongUsage('Give --from, or settings with --template.');
  const own = from === undefined ? {} : { phoneNumber: from };
  if (template === undefined) return own;
  try {
    const read: unknown = JSON.parse(readGiven(template));
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return { ...read, ...own };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw wrongUsage(`${template}: must be a JSON object, such as {"phoneNumber": "+14155550100"}.`);
}

/** `outdial campaign create` */
export async function createCampaign(flags: CreateFlags): Promise<void> {
  const { name, cron, zone, idempotencyKey } = flags;
  const timezone = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const json = { name, cron, timezone, template: templateOf(flags) };
  const client = await clientOf(flags);
  const answer = await askOnce(client, 'campaigns.create', { json }, idempotencyKey);
  const id = textOf(answer.campaignId);
  printDone(
    `Made ${id}: it runs at ${cron} in ${timezone}. outdial campaign add ${id} FILE adds recipients.`,
    answer,
    id,
    flags,
  );
}

export interface SetFlags extends ClientFlags {
  readonly name?: string;
  readonly cron?: string;
  readonly zone?: string;
  readonly from?: string;
  readonly template?: string;
}

/** `outdial campaign set` */
export async function setCampaign(campaignId: string, flags: SetFlags): Promise<void> {
  const { name, cron, zone, from, template } = flags;
  if ([name, cron, zone, from, template].every((given) => given === undefined)) {
    throw wrongUsage('Say what to change: --name, --cron, --zone, --from or --template.');
  }
  const client = await clientOf(flags);
  const path = { campaignId };
  const changed = template === undefined && from === undefined ? {} : { template: await newTemplate() };
  const json = { name, cron, timezone: zone, ...changed };
  const answer = await client.ask('campaigns.update', { path, json });
  printDone(`${campaignId} is changed, from its next run on.`, answer, campaignId, flags);

  /** A template is replaced as a whole: another number alone goes into the one that is there. */
  async function newTemplate(): Promise<Row> {
    if (template !== undefined) return templateOf(flags);
    const stored = Template.parse(await client.ask('campaigns.get', { path })).template;
    const kept = Object.entries(stored).filter(([field]) => !otherNumbers.has(field));
    return { ...Object.fromEntries(kept), phoneNumber: from };
  }
}

/** `outdial campaign list` */
export async function listCampaigns(flags: ClientFlags & { readonly limit: number }): Promise<void> {
  printRows(await listRows(await clientOf(flags), 'campaigns.list', flags.limit), listed, flags);
}

/** `outdial campaign show` */
export async function showCampaign(campaignId: string, flags: ClientFlags): Promise<void> {
  printOne(await (await clientOf(flags)).ask('campaigns.get', { path: { campaignId } }), shown, flags);
}

/** `outdial campaign runs` */
export async function listRuns(campaignId: string, flags: ClientFlags & { readonly limit: number }): Promise<void> {
  const path = { campaignId };
  printRows(await listRows(await clientOf(flags), 'campaigns.listRuns', flags.limit, { path }), runs, flags);
}

/** `outdial campaign add` */
export const addToCampaign = (campaignId: string, file: string | undefined, flags: AddFlags): Promise<void> =>
  addRecipients('campaigns.addRecipients', { campaignId }, file, flags);

const done = {
  'campaigns.pause': 'does not run by itself until it is resumed.',
  'campaigns.resume': 'runs again from the next time of its schedule on.',
  'campaigns.run': 'runs now; outdial campaign runs says what it came to.',
} as const;

/** `outdial campaign pause`, `resume` and `run` */
export async function steerCampaign(
  operation: keyof typeof done,
  campaignId: string,
  flags: ClientFlags,
): Promise<void> {
  const client = await clientOf(flags);
  const key = operation === 'campaigns.run' ? ({ idempotencyKey: true } as const) : {};
  const answer = await client.ask(operation, { path: { campaignId }, json: {}, ...key });
  printDone(`${campaignId} ${done[operation]}`, answer, campaignId, flags);
}

/** `outdial campaign delete` */
export async function deleteCampaign(campaignId: string, flags: ClientFlags & { readonly yes?: true }): Promise<void> {
  if (flags.yes !== true) {
    throw wrongUsage('Those who wait are not called, and there is no way back. Add --yes to delete the campaign.');
  }
  const answer = await (await clientOf(flags)).ask('campaigns.delete', { path: { campaignId } });
  printDone(`${campaignId} is deleted. Batch calls that it made stay.`, answer, campaignId, flags);
}

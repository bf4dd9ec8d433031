import type { ClientFlags, Listing } from '../../commands/service-options.js';
import { clientOf } from '../client.js';
import { wrongUsage } from '../exit-codes.js';
import { listRows } from '../list.js';
import { printDone, printOne, printRows, type Shown } from '../output.js';
import { textOf } from '../printable.js';

const listed: Shown = { id: 'id', columns: { Id: 'id', Url: 'url', Events: 'events', Made: 'createdAt' } };

export interface WebhookFlags extends ClientFlags {
  readonly url?: string;
  readonly event?: readonly string[];
}

/** `outdial webhook list` */
export async function listWebhooks(flags: Listing): Promise<void> {
  printRows(await listRows(await clientOf(flags), 'sipWebhooks.list', flags.limit), listed, flags);
}

/** `outdial webhook show` */
export async function showWebhook(webhookId: string, flags: ClientFlags): Promise<void> {
  printOne(await (await clientOf(flags)).ask('sipWebhooks.get', { path: { webhookId } }), listed, flags);
}

/** `outdial webhook create` */
export async function createWebhook(url: string, flags: WebhookFlags): Promise<void> {
  const { event: events } = flags;
  if (events === undefined) throw wrongUsage('Say what it hears of: --event call-answered --event call-hangup …');
  const client = await clientOf(flags);
  const answer = await client.ask('sipWebhooks.create', { json: { url, events }, idempotencyKey: true });
  const id = textOf(answer.id);
  printDone(`Made ${id}. Post it an example with: outdial trigger ${events[0] ?? ''} --to ${url}`, answer, id, flags);
}

/** `outdial webhook set` */
export async function setWebhook(webhookId: string, flags: WebhookFlags): Promise<void> {
  const { url, event: events } = flags;
  if (url === undefined && events === undefined) throw wrongUsage('Say what to change: --url or --event.');
  const client = await clientOf(flags);
  const answer = await client.ask('sipWebhooks.update', { path: { webhookId }, json: { url, events } });
  printDone(`${webhookId} is changed, for events from now on.`, answer, webhookId, flags);
}

/** `outdial webhook delete` */
export async function deleteWebhook(webhookId: string, flags: ClientFlags & { readonly yes?: true }): Promise<void> {
  if (flags.yes !== true) throw wrongUsage('Nothing more is sent to it then. Add --yes to delete it.');
  const answer = await (await clientOf(flags)).ask('sipWebhooks.delete', { path: { webhookId } });
  printDone(`${webhookId} is deleted.`, answer, webhookId, flags);
}

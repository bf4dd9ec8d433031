import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import type { ServiceFlags } from '../connection.js';
import { type Client, clientOf } from '../client.js';
import { CommandFailed, exitCodes, wrongUsage } from '../exit-codes.js';
import { listRows } from '../list.js';
import { printable, textOf } from '../printable.js';
import { examplesOf } from './events.js';
import { listensAt } from './left-off.js';
import { postWebhook, receiverUrl } from './post.js';

export interface TriggerFlags extends ServiceFlags {
  readonly to?: string;
}

/**
 * `outdial trigger`: the example of an event, signed with the account's secret, to `--to`, to where `outdial listen` posts, or to the
 * SIP webhooks of the account that hear of such events. The service takes no part in it: nothing is called, stored or tried again.
 *
 * @throws CommandFailed if a receiver does not accept it
 */
export async function trigger(event: string, { to, ...flags }: TriggerFlags): Promise<void> {
  const given = to === undefined ? undefined : receiverUrl(to, '--to');
  const client = await clientOf(flags);
  const [example] = await examplesOf(client, [event]);
  const body = JSON.stringify(example);
  const { accountId } = await client.ask('account.get');
  const listening = given ?? listensAt(`${client.connection.url} ${textOf(accountId)}`);
  const urls = listening === undefined ? await receiversOf(client, event) : [listening];
  const { secret } = z.looseObject({ secret: z.string() }).parse(await client.ask('webhookSecret.get'));
  let refusals = 0;
  for (const url of urls) {
    const id = `whd_example_${randomUUID()}`;
    const now = new Date();
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    };
    const { status, accepted, milliseconds, words } = await postWebhook(url, headers, body);
    console.log(`${event} → ${printable(url)}: ${[status ?? '', words].join(' ').trim()} (${milliseconds} ms)`);
    if (!accepted) refusals += 1;
  }
  if (refusals > 0) throw new CommandFailed(exitCodes.failed, `${refusals} of ${urls.length} did not accept it.`);
}

async function receiversOf(client: Client, event: string): Promise<string[]> {
  const webhooks = await listRows(client, 'sipWebhooks.list', 100);
  const urls = webhooks
    .filter(({ events }) => Array.isArray(events) && events.includes(event))
    .map(({ url }) => textOf(url));
  if (urls.length > 0) return urls;
  throw wrongUsage(
    `No SIP webhook of the account hears of ${event}. Name where it goes with --to, such as --to http://localhost:3000/webhooks.`,
  );
}

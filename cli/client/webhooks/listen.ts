import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { sinceOf } from '../../moments.js';
import type { ServiceFlags } from '../connection.js';
import { type Client, clientOf } from '../client.js';
import { CommandFailed, exitCodes } from '../exit-codes.js';
import { coloursOn } from '../output.js';
import { printable, textOf } from '../printable.js';
import { examplesOf } from './events.js';
import { keepLeftOff, type LeftOff, leftOff } from './left-off.js';
import { type Posted, postWebhook, receiverUrl } from './post.js';

export interface ListenFlags extends ServiceFlags {
  readonly forwardTo: string;
  readonly events?: string;
  readonly since?: string;
  readonly bodies?: true;
}

const Followed = z.looseObject({
  data: z.array(
    z.looseObject({
      deliveryId: z.string(),
      event: z.string(),
      payload: z.string(),
      headers: z.record(z.string(), z.string()),
    }),
  ),
  next: z.string(),
});
type Delivery = z.infer<typeof Followed>['data'][number];

const pauseMs = 1_000;
/** A webhook may be stored after one with a greater id: transactions that ran beside each other. */
const overlapMs = 30_000;

/** `outdial listen`: posts to this machine what the account's webhooks are told, from where it left off, until Ctrl-C. */
export async function listen({ forwardTo, events, since, bodies, ...flags }: ListenFlags): Promise<never> {
  const url = receiverUrl(forwardTo, '--forward-to');
  const wanted = events?.split(',').map((each) => each.trim());
  const from = since === undefined ? undefined : idAt(sinceOf(since, '--since').getTime());
  const client = await clientOf(flags);
  if (wanted !== undefined) await examplesOf(client, wanted);
  const { accountId, name } = await client.ask('account.get');
  const account = `${client.connection.url} ${textOf(accountId)}`;
  const before = from === undefined ? leftOff(account) : undefined;
  const start = before?.after ?? from ?? (await pageAfter(client, undefined)).next;
  let state: LeftOff = { after: start, posted: before?.posted ?? [], forwardTo: url };
  keepLeftOff(account, state);
  console.error(
    `Posting the webhooks of ${textOf(name)} to ${printable(url)}${before === undefined ? '' : ', from where it left off'}. Ctrl-C ends it.`,
  );
  const patience = new Patience();
  for (;;) {
    let place = rewound(state.after);
    for (;;) {
      const page = await patience.answer(() => pageAfter(client, place), client.connection.url);
      const due = page.data.filter(({ deliveryId }) => !state.posted.includes(deliveryId));
      const kept = due.filter(({ event }) => wanted === undefined || wanted.includes(event));
      if (kept.length > 0) {
        const verify = await patience.answer(() => verifierOf(client), client.connection.url);
        for (const delivery of kept) {
          const told = await patience.post(delivery, url, verify, bodies === true);
          if (told === null) break;
          // Kept before it is shown: what a reader has seen does not come again.
          state = { ...state, posted: [...state.posted, delivery.deliveryId] };
          keepLeftOff(account, state);
          for (const line of told) console.log(line);
        }
        // What is left of this page has to be signed anew.
        if (kept.some(({ deliveryId }) => !state.posted.includes(deliveryId))) break;
      }
      if (page.next === place) break;
      place = page.next;
      if (place > state.after) {
        const oldest = rewound(place);
        state = { ...state, after: place, posted: state.posted.filter((id) => id > oldest) };
        keepLeftOff(account, state);
      }
    }
    await delay(pauseMs);
  }
}

const pageAfter = async (client: Client, after: string | undefined): Promise<z.infer<typeof Followed>> =>
  Followed.parse(await client.ask('webhookDeliveries.follow', { query: { after } }));

/** With the secret that receivers have: asked for again each time, because it may be rotated meanwhile. */
async function verifierOf(client: Client): Promise<(delivery: Delivery) => boolean> {
  const { secret } = z.looseObject({ secret: z.string() }).parse(await client.ask('webhookSecret.get'));
  const webhook = new Webhook(secret);
  return ({ payload, headers }) => {
    try {
      webhook.verify(payload, headers);
      return true;
    } catch {
      return false;
    }
  };
}

/** Says once that the service or the receiver is away, however often it is asked. */
class Patience {
  private away = '';

  /** Waits as long as the service does not answer. */
  async answer<T>(ask: () => Promise<T>, serviceAt: string): Promise<T> {
    for (;;) {
      try {
        const answer = await ask();
        if (this.away === serviceAt) this.away = '';
        return answer;
      } catch (error) {
        if (!(error instanceof CommandFailed) || error.exitCode !== exitCodes.unavailable) throw error;
        this.say(serviceAt, error.message);
        await delay(pauseMs);
      }
    }
  }

  /** @returns lines that tell of it; null if nothing answers there: it is to be posted later. An answer of any kind is an answer. */
  async post(
    { deliveryId, event, payload, headers }: Delivery,
    url: string,
    verify: (delivery: Delivery) => boolean,
    showsBody: boolean,
  ): Promise<readonly string[] | null> {
    const { red, green, dim } = coloursOn(process.stdout);
    const at = dim(new Date().toISOString().slice(11, 19));
    const what = `${at} ${event.padEnd(19)} ${deliveryId}`;
    if (!verify({ deliveryId, event, payload, headers })) {
      return [`${what} ${red('is not signed with the secret of the account: it is not posted')}`];
    }
    const posted: Posted = await postWebhook(url, headers, payload);
    if (posted.status === undefined) {
      this.say(url, `${printable(url)} does not answer (${posted.words}): waiting for it.`);
      return null;
    }
    this.away = '';
    const status = (posted.accepted ? green : red)(String(posted.status));
    const line = `${what} ${status} ${dim(`${posted.milliseconds} ms`)} ${posted.words}`.trimEnd();
    return showsBody ? [line, dim(printable(payload))] : [line];
  }

  private say(who: string, words: string): void {
    if (this.away !== who) console.error(words);
    this.away = who;
  }
}

const idAt = (milliseconds: number): string => `whd_${uuidv7({ msecs: milliseconds, random: new Uint8Array(16) })}`;

/** The id that a delivery would have had a little before this one. */
function rewound(id: string): string {
  const milliseconds = Number.parseInt(id.slice('whd_'.length).replace('-', '').slice(0, 12), 16);
  return idAt(milliseconds - overlapMs);
}

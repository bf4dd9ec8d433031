import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

export interface ReceivedWebhook {
  readonly event: string;
  /** Status of the batch as the body has it. */
  readonly status: string;
  /** Whether the receiver's library accepts the signature. */
  readonly verified: boolean;
  /** The `webhook-id`: the same on every delivery of one event. */
  readonly id: string;
}

export interface WebhookReceiver {
  readonly url: string;
  /** First delivery of each event, in the order in which they came. */
  readonly received: readonly ReceivedWebhook[];
  /** Resolves when an event has come, or after `milliseconds` without it. */
  waitFor(event: string, milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

const Body = z.looseObject({ event: z.string(), batchId: z.string(), status: z.string() });

/** A customer's endpoint: takes webhooks on this machine and checks them with the Standard Webhooks library. */
export async function receiveWebhooks(secret: string): Promise<WebhookReceiver> {
  const verifier = new Webhook(secret);
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const webhook = read(verifier, Buffer.concat(chunks).toString('utf8'), request.headers);
      if (webhook !== undefined && !received.some(({ id }) => id === webhook.id)) received.push(webhook);
      response.writeHead(webhook?.verified === true ? 204 : 400).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The webhook receiver has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/outdial`,
    received,
    waitFor: async (event, milliseconds) => {
      const until = performance.now() + milliseconds;
      while (!received.some((each) => each.event === event) && performance.now() < until) await delay(50);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function read(verifier: Webhook, text: string, headers: IncomingHttpHeaders): ReceivedWebhook | undefined {
  const parsed = Body.safeParse(jsonOf(text));
  const id = headers['webhook-id'];
  if (!parsed.success || typeof id !== 'string') return undefined;
  return { event: parsed.data.event, status: parsed.data.status, verified: isSigned(verifier, text, headers), id };
}

function isSigned(verifier: Webhook, text: string, headers: IncomingHttpHeaders): boolean {
  const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  try {
    verifier.verify(text, flat);
    return true;
  } catch {
    return false;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

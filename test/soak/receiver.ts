import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import type { ReceivedWebhook } from './judge/evidence.js';

const Body = z.looseObject({ event: z.string(), batchId: z.string(), status: z.string(), recordsUploaded: z.number() });

export interface Receiver {
  readonly port: number;
  /** Every delivery, repeated ones too. */
  readonly received: readonly ReceivedWebhook[];
  /** The path of an endpoint whose deliveries are signed with this secret. */
  endpoint(account: string, secret: string): string;
  close(): Promise<void>;
}

/** The customers' endpoints, which check every signature with the receiver's library. */
export async function openReceiver(): Promise<Receiver> {
  const verifiers = new Map<string, Webhook>();
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const verified = isSigned(verifiers.get(request.url ?? ''), text, request.headers);
      const body = Body.safeParse(jsonOf(text));
      if (body.success) {
        const { event, batchId, status, recordsUploaded } = body.data;
        const webhookId = String(request.headers['webhook-id']);
        received.push({ webhookId, verified, event, batchId, status, recordsUploaded });
      }
      response.writeHead(verified ? 204 : 400).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    endpoint(account, secret) {
      verifiers.set(`/${account}`, new Webhook(secret));
      return `/${account}`;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSigned(verifier: Webhook | undefined, text: string, headers: IncomingHttpHeaders): boolean {
  const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  try {
    verifier?.verify(text, flat);
    return verifier !== undefined;
  } catch {
    return false;
  }
}

import type { ClientFlags } from '../commands/service-options.js';
import { clientOf, type Row } from './client.js';
import { listRows } from './list.js';
import { printDone, printRows, type Shown } from './output.js';
import { textOf } from './printable.js';

const lastOf = ({ attempts }: Row): Row | undefined =>
  Array.isArray(attempts) ? (attempts as Row[]).at(-1) : undefined;

const shown: Shown = {
  id: 'deliveryId',
  columns: {
    Id: 'deliveryId',
    Event: 'event',
    Status: 'status',
    Attempts: ({ attempts }) => (Array.isArray(attempts) ? attempts.length : 0),
    'Last answer': (row) => textOf(lastOf(row)?.statusCode ?? lastOf(row)?.error),
    Happened: 'createdAt',
    Endpoint: 'endpoint',
  },
};

/** `outdial deliveries list` */
export async function listDeliveries(batchId: string, flags: ClientFlags & { limit: number }): Promise<void> {
  const client = await clientOf(flags);
  printRows(
    await listRows(client, 'batchCalls.listWebhookDeliveries', flags.limit, { path: { batchId } }),
    shown,
    flags,
  );
}

/** `outdial deliveries resend` */
export async function resendDelivery(batchId: string, deliveryId: string, flags: ClientFlags): Promise<void> {
  const client = await clientOf(flags);
  const answer = await client.ask('batchCalls.redeliverWebhook', { path: { batchId, deliveryId }, json: {} });
  printDone(`${deliveryId} is being delivered again.`, answer, deliveryId, flags);
}

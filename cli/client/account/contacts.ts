import { z } from 'zod';
import type { ClientFlags, Listing } from '../../commands/service-options.js';
import { clientOf } from '../client.js';
import { wrongUsage } from '../exit-codes.js';
import { listRows } from '../list.js';
import { coloursOn, printDone, printLines, printRows, type Shown } from '../output.js';
import { textOf } from '../printable.js';

const Contact = z.looseObject({
  doNotCall: z.looseObject({ createdAt: z.unknown(), reason: z.unknown().optional() }).optional(),
  batches: z.array(z.looseObject({ batchId: z.string(), status: z.string(), calls: z.number() })),
  rejectedRows: z.array(z.looseObject({ batchId: z.string(), row: z.number(), message: z.string() })),
});

const calls: Shown = {
  id: 'id',
  columns: {
    Call: 'id',
    Type: 'type',
    Status: 'status',
    Reason: 'reason',
    Seconds: 'duration',
    'Batch call': 'batchId',
  },
};

/** `outdial contact show`: JSON has all that the service answers, the table its calls below the rest. */
export async function showContact(e164: string, flags: Listing): Promise<void> {
  const client = await clientOf(flags);
  const answer = await client.ask('contacts.get', { path: { e164 } });
  if (flags.output === 'json') {
    printLines([JSON.stringify(answer, null, 2)]);
    return;
  }
  const { doNotCall, batches, rejectedRows } = Contact.parse(answer);
  if (flags.output === 'table' && flags.quiet !== true) {
    const { bold } = coloursOn(process.stdout);
    printLines([
      bold(e164),
      doNotCall === undefined
        ? 'Not on the do-not-call list.'
        : `On the do-not-call list since ${textOf(doNotCall.createdAt)}${doNotCall.reason === undefined ? '' : `: ${textOf(doNotCall.reason)}`}.`,
      ...batches.map((batch) => `${batch.batchId}: ${batch.calls} of its calls; it is ${batch.status}.`),
      ...rejectedRows.map((row) => `${row.batchId}, row ${row.row}: not called, ${textOf(row.message)}`),
    ]);
  }
  printRows(await listRows(client, 'contacts.get', flags.limit, { path: { e164 } }), calls, flags);
}

/** `outdial contact erase` */
export async function eraseContact(e164: string, flags: ClientFlags & { readonly yes?: true }): Promise<void> {
  if (flags.yes !== true) {
    throw wrongUsage('Transcripts and recordings go, live calls are hung up, and there is no way back. Add --yes.');
  }
  const answer = await (await clientOf(flags)).ask('contacts.erase', { path: { e164 } });
  printDone(textOf(answer.message), answer, e164, flags);
}

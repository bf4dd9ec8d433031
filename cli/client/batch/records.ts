import { z } from 'zod';
import type { ClientFlags, Listing } from '../../commands/service-options.js';
import { clientOf, type Row } from '../client.js';
import { wrongUsage } from '../exit-codes.js';
import { listRows } from '../list.js';
import { printDone, printOne, printRows, type Shown } from '../output.js';
import { textOf } from '../printable.js';
import { untilOf } from './words.js';

const figures: Shown = {
  id: 'key',
  columns: {
    Key: ({ key }) => key ?? 'none',
    Calls: 'calls',
    Attempts: 'attempts',
    Answered: 'answered',
    Human: 'human',
    Machine: 'machine',
    Success: 'success',
    'Talk seconds': 'talkSeconds',
    Cost: ({ cost }) => cost ?? '',
  },
};

const totals: Shown = {
  id: 'batchId',
  columns: {
    Status: 'status',
    Calls: 'total',
    Answered: 'answered',
    'Answer rate': ({ answerRate }) => `${Math.round(100 * Number(answerRate))} %`,
    'Seconds on average': 'averageDuration',
    Attempts: 'attempts',
    Cost: 'cost.amount',
    Currency: 'cost.currency',
  },
};

const Rows = z.array(z.looseObject({}));

/** `outdial batch stats` */
export async function showStats(batchId: string, flags: ClientFlags & { readonly by?: string }): Promise<void> {
  const client = await clientOf(flags);
  const stats = await client.ask('batchCalls.getStats', { path: { batchId }, query: { by: flags.by } });
  if (flags.by === undefined) printOne(stats, totals, flags);
  else printRows(Rows.parse(stats.rows), figures, flags);
}

/** `outdial batch delete` */
export async function deleteBatch(batchId: string, flags: ClientFlags & { readonly yes?: true }): Promise<void> {
  if (flags.yes !== true) {
    throw wrongUsage('Its records, transcripts and recordings go, and there is no way back. Add --yes to delete it.');
  }
  const answer = await (await clientOf(flags)).ask('batchCalls.delete', { path: { batchId } });
  printDone(`${batchId} is deleted.`, answer, batchId, flags);
}

const records: Shown = {
  id: 'recordId',
  columns: {
    Record: 'recordId',
    Number: 'phoneNumber',
    Status: 'status',
    Reason: 'reason',
    Attempts: 'attempts',
    'Next attempt': 'nextAttemptAt',
    Call: 'callId',
  },
};

export interface RecordFilters extends Listing {
  readonly status?: string;
  readonly reason?: string;
  readonly variant?: string;
}

/** `outdial record list` */
export async function listRecords(batchId: string, flags: RecordFilters): Promise<void> {
  const { limit, search, status, reason, variant } = flags;
  const query = { search, status, reason, variant };
  const rows = await listRows(await clientOf(flags), 'batchCalls.listRecords', limit, { path: { batchId }, query });
  printRows(rows, records, flags);
}

const done = {
  'batchCalls.skipRecord': 'is skipped: it is not called.',
  'batchCalls.callRecordAgain': 'is called once more.',
} as const;

const told = (record: Row, batchId: string, recordId: string, words: string, flags: ClientFlags): void =>
  printDone(`${textOf(record.phoneNumber)} of ${batchId} ${words}`, record, recordId, flags);

/** `outdial record skip` and `call-again` */
export async function steerRecord(
  operation: keyof typeof done,
  batchId: string,
  recordId: string,
  flags: ClientFlags,
): Promise<void> {
  const client = await clientOf(flags);
  const record = await client.ask(operation, {
    path: { batchId, recordId },
    json: {},
    ...(operation === 'batchCalls.skipRecord' ? {} : { idempotencyKey: true }),
  });
  told(record, batchId, recordId, done[operation], flags);
}

/** `outdial record callback` */
export async function callBack(batchId: string, recordId: string, at: string, flags: ClientFlags): Promise<void> {
  const client = await clientOf(flags);
  const record = await client.ask('batchCalls.callRecordBack', {
    path: { batchId, recordId },
    json: { at: untilOf(at, 'the instant') },
    idempotencyKey: true,
  });
  told(record, batchId, recordId, `is called at ${textOf(record.nextAttemptAt)}.`, flags);
}

import type { ClientFlags, Listing } from '../../commands/service-options.js';
import { instantOf } from '../../moments.js';
import { clientOf, type Row } from '../client.js';
import { wrongUsage } from '../exit-codes.js';
import { listRows } from '../list.js';
import { printDone, printRows, type Shown } from '../output.js';
import { textOf } from '../printable.js';
import { noneAsNull, pairOf } from '../request.js';

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
    json: { at: instantOf(at, 'the instant').toISOString() },
    idempotencyKey: true,
  });
  told(record, batchId, recordId, `is called at ${textOf(record.nextAttemptAt)}.`, flags);
}

export interface RecordChanges extends ClientFlags {
  readonly priority?: number | 'none';
  readonly notBefore?: string;
  readonly field?: readonly string[];
}

/** `outdial record set` */
export async function setRecord(batchId: string, recordId: string, flags: RecordChanges): Promise<void> {
  const { priority, notBefore, field } = flags;
  if ([priority, notBefore, field].every((given) => given === undefined)) {
    throw wrongUsage('Say what to change: --priority, --not-before or --field.');
  }
  const json = {
    priority: noneAsNull(priority),
    notBefore:
      notBefore === undefined || notBefore === 'none'
        ? noneAsNull(notBefore)
        : instantOf(notBefore, '--not-before').toISOString(),
    metadata: field?.[0] === 'none' ? null : field && Object.fromEntries(field.map(pairOf)),
  };
  const client = await clientOf(flags);
  const record = await client.ask('batchCalls.updateRecord', { path: { batchId, recordId }, json });
  told(record, batchId, recordId, 'is changed.', flags);
}

import { pipeline } from 'node:stream/promises';
import { countsOf } from '../../demo/outcome.js';
import type { ClientFlags } from '../../commands/service-options.js';
import { askOnce } from '../ask-once.js';
import { clientOf, piecesOf, type Row } from '../client.js';
import { CommandFailed, exitCodes, wrongUsage } from '../exit-codes.js';
import { listRows } from '../list.js';
import { writeFile } from '../file.js';
import { fieldOf, printDone, printLines, printOne, printRows, type Shown } from '../output.js';
import { textOf } from '../printable.js';
import type { ServiceFlags } from '../connection.js';
import type { OperationId } from '../operations.js';
import { madeLines } from './create.js';
import { watchBatch } from './watch.js';
import { finalStatuses } from './watched-batch.js';

const statusOf = ({ status, paused }: Row): string => `${textOf(status)}${paused === true ? ' (paused)' : ''}`;

const listed: Shown = {
  id: 'batchId',
  columns: {
    Id: 'batchId',
    Name: 'batchName',
    Status: statusOf,
    Done: ({ progress }) => `${textOf(progress)} %`,
    Calls: 'recordsUploaded',
    Answered: 'counts.answered',
    Starts: 'startsAt',
  },
};

const shown: Shown = {
  id: 'batchId',
  columns: {
    Id: 'batchId',
    Name: 'batchName',
    Status: statusOf,
    'Paused for': 'pausedDetails',
    'Waiting for': 'waitingFor',
    Done: ({ progress }) => `${textOf(progress)} %`,
    Calls: 'recordsUploaded',
    Counts: (row) => countsOf(fieldOf(row, 'counts') as Row).map(([status, count]) => `${count} ${status}`),
    'Rows left out': ({ recordsRejected }) => (recordsRejected === 0 ? '' : recordsRejected),
    'File problem': 'parseError',
    From: 'phoneNumber',
    Rule: 'routingRuleId',
    Retry: ({ retry }) => (typeof retry === 'object' && retry !== null && 'retryOn' in retry ? retry : ''),
    Window: 'callingWindow',
    'Most at once': 'maxConcurrentCalls',
    Variants: 'variants',
    Open: ({ open }) => (open === true ? 'yes, until `outdial batch close`' : ''),
    Priority: ({ priority }) => (priority === 5 ? '' : priority),
    'Stops after': ({ stopAfter }) =>
      Object.entries((stopAfter ?? {}) as Row).map(([what, n]) => `${textOf(n)} ${what}`),
    'Stops at': 'until',
    'Costs at most': 'maxCost',
    'Stopped by': 'stoppedBy',
    Starts: 'startsAt',
    Started: 'startedAt',
    Completed: 'completedAt',
    Carrier: ({ simulated }) => (simulated === true ? 'a simulation: no telephone is reached' : ''),
  },
};

export interface ListFlags extends ClientFlags {
  readonly limit: number;
  readonly status?: string;
  readonly search?: string;
}

/** `outdial batch list` */
export async function listBatches(flags: ListFlags): Promise<void> {
  const { limit, status, search } = flags;
  printRows(
    await listRows(await clientOf(flags), 'batchCalls.list', limit, { query: { status, search } }),
    listed,
    flags,
  );
}

/** `outdial batch show` */
export async function showBatch(batchId: string, flags: ClientFlags): Promise<void> {
  printOne(await (await clientOf(flags)).ask('batchCalls.get', { path: { batchId } }), shown, flags);
}

/** `outdial batch watch` */
export async function watch(batchId: string, flags: ClientFlags): Promise<void> {
  await watchBatch(await clientOf(flags), batchId, flags);
}

const done = {
  'batchCalls.pause': 'is paused: nothing of it is dialed, live calls go on.',
  'batchCalls.resume': 'goes on.',
  'batchCalls.close': 'is closed: it completes when those that it has have been called.',
  'batchCalls.cancel': 'is being cancelled: no call is started any more.',
} as const satisfies Partial<Record<OperationId, string>>;

/** `outdial batch pause`, `resume`, `close` and `cancel` */
export async function steerBatch(
  operation: keyof typeof done,
  batchId: string,
  flags: ClientFlags & { now?: true },
): Promise<void> {
  const client = await clientOf(flags);
  const json = flags.now === true ? { mode: 'immediate' } : {};
  const batch = await client.ask(operation, { path: { batchId }, json });
  const status = textOf(batch.status);
  const steers = operation === 'batchCalls.resume' || operation === 'batchCalls.pause';
  if (steers && (status === 'cancelling' || finalStatuses.includes(status))) {
    throw new CommandFailed(exitCodes.conflict, `${batchId} is ${status}: nothing more of it is dialed in any case.`);
  }
  if (operation === 'batchCalls.resume' && batch.paused === true) {
    throw new CommandFailed(exitCodes.conflict, `${batchId} is still paused: ${textOf(batch.pausedDetails)}`);
  }
  printDone(`${textOf(batch.batchName)} (${batchId}) ${done[operation]}`, batch, batchId, flags);
}

export interface RetryFlags extends ClientFlags {
  readonly status?: string;
  readonly name?: string;
  readonly watch?: true;
  readonly idempotencyKey?: string;
}

/** `outdial batch retry` */
export async function retryBatch(batchId: string, flags: RetryFlags): Promise<void> {
  const client = await clientOf(flags);
  const { status, name, watch: watches, output, quiet } = flags;
  const json = {
    ...(status === undefined ? {} : { statuses: status.split(',') }),
    ...(name === undefined ? {} : { name }),
  };
  const batch = await askOnce(client, 'batchCalls.retry', { path: { batchId }, json }, flags.idempotencyKey);
  const id = textOf(batch.batchId);
  if (quiet === true) printLines([id]);
  else if (output !== 'json') printLines(madeLines(batch));
  else if (watches !== true) printLines([JSON.stringify(batch, null, 2)]);
  if (watches === true) await watchBatch(client, id, flags, true);
}

export interface ExportFlags extends ServiceFlags {
  readonly to?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly variant?: string;
  readonly duration?: string;
  readonly search?: string;
  readonly include?: string;
}

/** `outdial batch export`: the records as CSV, as they come. */
export async function exportBatch(batchId: string, flags: ExportFlags): Promise<void> {
  const { to, status, reason, variant, duration, search, include } = flags;
  const client = await clientOf(flags);
  const answer = await client.open('batchCalls.exportRecords', {
    path: { batchId },
    query: { status, reason, variant, duration, search, include },
  });
  const records = piecesOf(answer, client.connection.url);
  if (to === undefined) await pipeline(records, process.stdout, { end: false });
  // People's numbers are in it.
  else await writeFile(to, records);
  if (to !== undefined) console.error(`The records are in ${to}.`);
}

/** `outdial batch delete` */
export async function deleteBatch(batchId: string, flags: ClientFlags & { readonly yes?: true }): Promise<void> {
  if (flags.yes !== true) {
    throw wrongUsage('Its records, transcripts and recordings go, and there is no way back. Add --yes to delete it.');
  }
  const answer = await (await clientOf(flags)).ask('batchCalls.delete', { path: { batchId } });
  printDone(`${batchId} is deleted.`, answer, batchId, flags);
}

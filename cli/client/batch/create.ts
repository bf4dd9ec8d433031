import { basename } from 'node:path';
import type { ClientFlags } from '../../commands/service-options.js';
import { askOnce } from '../ask-once.js';
import { type Client, clientOf, type Row } from '../client.js';
import { CommandFailed, exitCodes, wrongUsage } from '../exit-codes.js';
import { printLines } from '../output.js';
import { printable, textOf } from '../printable.js';
import { batchForm, type BatchFlags, type BatchForm, formData } from './form.js';
import { isUsable, linesOfReport, localTime } from './report.js';
import { watchBatch } from './watch.js';

export interface CreateFlags extends BatchFlags, ClientFlags {
  readonly start?: true;
  readonly watch?: true;
  readonly idempotencyKey?: string;
}

/** `outdial batch create`: the dry run, and with --start or --schedule the batch call. */
export async function createBatch(file: string, flags: CreateFlags): Promise<void> {
  const { start, schedule, watch, output, quiet } = flags;
  if (start === true && schedule !== undefined)
    throw wrongUsage('--start begins now and --schedule later: give one of them.');
  const makes = start === true || schedule !== undefined;
  if (watch === true && !makes) throw wrongUsage('--watch needs a batch call to watch: add --start or --schedule.');
  const client = await clientOf(flags);
  const form = await batchForm(client, file, flags);
  const report = await client.ask('batchCalls.validate', { form: formData(form) });
  const forPeople = output !== 'json' && quiet !== true;
  if (forPeople) printLines([headOf(file, form, client), '', ...linesOfReport(report, basename(file)), '']);
  else if (!makes && quiet !== true) printLines([JSON.stringify(report, null, 2)]);
  if (!isUsable(report))
    throw new CommandFailed(exitCodes.usage, `${file}: no number can be called. Nothing was made.`);
  if (!makes) {
    if (forPeople)
      printLines(['Nothing has been made. Add --start to begin, or --schedule "2027-01-31 09:30" for later.']);
    return;
  }
  const batch = await askOnce(client, 'batchCalls.create', { form: formData(form) }, flags.idempotencyKey);
  if (quiet === true) printLines([textOf(batch.batchId)]);
  else if (forPeople) printLines(madeLines(batch));
  if (watch === true) await watchBatch(client, textOf(batch.batchId), flags, true);
  else if (!forPeople && quiet !== true) printLines([JSON.stringify(batch, null, 2)]);
}

const headOf = (file: string, { fields, from }: BatchForm, { connection }: Client): string =>
  printable(
    `Dry run of ${file} as “${fields.name ?? ''}”, from ${from.join(', ')}, on ${connection.url} (${connection.from})`,
  );

/** What is said of a batch call that has just been made. */
export function madeLines(batch: Row): string[] {
  const id = textOf(batch.batchId);
  const when = batch.timing === 'scheduled' ? `starts ${localTime(textOf(batch.startsAt))}` : 'starts now';
  return [`Made ${id} (${textOf(batch.batchName)}): it ${when}.`, `outdial batch watch ${id} follows it.`];
}

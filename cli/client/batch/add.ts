import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { ClientFlags } from '../../commands/service-options.js';
import { type Asked, clientOf } from '../client.js';
import { wrongUsage } from '../exit-codes.js';
import { printLines, tableOf } from '../output.js';
import { textOf } from '../printable.js';
import { pairOf, readGiven } from '../request.js';

export interface AddFlags extends ClientFlags {
  readonly number?: readonly string[];
  readonly field?: readonly string[];
}

type Recipient = Readonly<Record<string, unknown>>;

const mostAtOnce = 10_000;

const Added = z.looseObject({
  accepted: z.number(),
  alreadyPresent: z.number(),
  rejected: z.array(z.looseObject({ index: z.number(), value: z.string(), message: z.string() })),
});

/** `outdial batch add` */
export const addToBatch = (batchId: string, file: string | undefined, flags: AddFlags): Promise<void> =>
  addRecipients('batchCalls.addRecipients', { batchId }, file, flags);

/** Adds recipients of a file, or numbers of the command line, to what the path names. */
export async function addRecipients(
  operation: 'batchCalls.addRecipients' | 'campaigns.addRecipients',
  path: NonNullable<Asked['path']>,
  file: string | undefined,
  flags: AddFlags,
): Promise<void> {
  const recipients = recipientsOf(file, flags);
  const client = await clientOf(flags);
  const sum = { accepted: 0, alreadyPresent: 0, rejected: [] as { row: number; value: string; message: string }[] };
  for (let from = 0; from < recipients.length; from += mostAtOnce) {
    const json = { recipients: recipients.slice(from, from + mostAtOnce) };
    const answer = Added.parse(await client.ask(operation, { path, json, idempotencyKey: true }));
    sum.accepted += answer.accepted;
    sum.alreadyPresent += answer.alreadyPresent;
    sum.rejected.push(
      ...answer.rejected.map(({ index, value, message }) => ({ row: from + index + 1, value, message })),
    );
  }
  if (flags.output === 'json') printLines([JSON.stringify(sum, null, 2)]);
  else if (flags.quiet !== true) {
    const rows = sum.rejected.map(({ row, value, message }) => [String(row), textOf(value), textOf(message)]);
    printLines([
      `${sum.accepted} added, ${sum.alreadyPresent} there already, ${rows.length} refused`,
      ...(rows.length === 0 ? [] : tableOf(['recipient', 'value', 'what is wrong'], rows).map((line) => `  ${line}`)),
    ]);
  }
}

/** @throws CommandFailed if the command line or the file names nobody */
export function recipientsOf(
  file: string | undefined,
  { number = [], field = [] }: Pick<AddFlags, 'number' | 'field'>,
): readonly Recipient[] {
  if ((file === undefined) === (number.length === 0)) throw wrongUsage('Name a file, or numbers with --number.');
  if (file === undefined) {
    const metadata = Object.fromEntries(field.map(pairOf));
    return number.map((phoneNumber) => ({ phoneNumber, ...(field.length === 0 ? {} : { metadata }) }));
  }
  if (field.length > 0) throw wrongUsage('--field belongs to --number: a file has columns.');
  const text = readGiven(file);
  const recipients = file.endsWith('.json') ? ofJson(text, file) : ofCsv(text, file);
  if (recipients.length === 0) throw wrongUsage(`${file} names nobody.`);
  return recipients;
}

const Recipients = z.array(z.record(z.string(), z.unknown()));
const Json = z.union([Recipients, z.looseObject({ recipients: Recipients }).transform(({ recipients }) => recipients)]);

function ofJson(text: string, file: string): readonly Recipient[] {
  try {
    return Json.parse(JSON.parse(text));
  } catch {
    throw wrongUsage(`${file}: must be a JSON array of recipients, or an object with recipients.`);
  }
}

const Table = z.array(z.record(z.string(), z.string()));

/** As a file of a batch call has it: phone_number, and metadata in all other columns. */
function ofCsv(text: string, file: string): readonly Recipient[] {
  try {
    const rows = Table.parse(parse(text, { columns: true, bom: true, skip_empty_lines: true, trim: true }));
    return rows.map(({ phone_number: phoneNumber, ...metadata }) => {
      if (phoneNumber === undefined) throw wrongUsage(`${file}: the first row must name a column phone_number.`);
      return { phoneNumber, metadata };
    });
  } catch (error) {
    throw error instanceof CsvError ? wrongUsage(`${file} is not valid CSV: ${error.message}.`) : error;
  }
}

import { basename } from 'node:path';
import { z } from 'zod';
import type { ClientFlags } from '../commands/service-options.js';
import { clientOf } from './client.js';
import { wrongUsage } from './exit-codes.js';
import { listRows } from './list.js';
import { printLines, printRows, tableOf } from './output.js';
import { textOf } from './printable.js';
import { fileToSend } from './request.js';

export interface DoNotCallFlags extends ClientFlags {
  readonly file?: string;
  readonly reason?: string;
}

const Added = z.looseObject({
  added: z.number(),
  alreadyListed: z.number(),
  rejected: z.number(),
  rejectedRows: z.array(z.looseObject({ row: z.number(), value: z.string(), message: z.string() })),
});

/** `outdial dnc add` */
export async function addNumbers(numbers: readonly string[], flags: DoNotCallFlags): Promise<void> {
  const { file, reason, output, quiet } = flags;
  if ((file === undefined) === (numbers.length === 0)) throw wrongUsage('Give numbers, or a file with --file.');
  const client = await clientOf(flags);
  const said = reason === undefined ? {} : { reason };
  const asked =
    file === undefined ? { json: { phoneNumbers: numbers, ...said } } : { form: await formOf(file, reason) };
  const answer = await client.ask('doNotCall.add', { ...asked, idempotencyKey: true });
  if (quiet === true) return;
  if (output === 'json') {
    printLines([JSON.stringify(answer, null, 2)]);
    return;
  }
  const { added, alreadyListed, rejected, rejectedRows } = Added.parse(answer);
  const rows = rejectedRows.map(({ row, value, message }) => [String(row), textOf(value), textOf(message)]);
  printLines([
    `${added} added, ${alreadyListed} on the list already, ${rejected} could not be read`,
    ...(rows.length === 0 ? [] : tableOf(['row', 'value', 'what is wrong'], rows).map((line) => `  ${line}`)),
  ]);
}

async function formOf(file: string, reason: string | undefined): Promise<FormData> {
  const form = new FormData();
  if (reason !== undefined) form.append('reason', reason);
  form.append('file', await fileToSend(file), basename(file));
  return form;
}

/** `outdial dnc list` */
export async function listNumbers(flags: ClientFlags & { limit: number; search?: string }): Promise<void> {
  const { limit, search } = flags;
  const rows = await listRows(await clientOf(flags), 'doNotCall.list', limit, { query: { search } });
  printRows(
    rows,
    { id: 'phoneNumber', columns: { Number: 'phoneNumber', Reason: 'reason', Since: 'createdAt' } },
    flags,
  );
}

/** `outdial dnc remove` */
export async function removeNumbers(numbers: readonly string[], flags: ClientFlags): Promise<void> {
  const client = await clientOf(flags);
  for (const e164 of numbers) {
    await client.ask('doNotCall.remove', { path: { e164 } });
    if (flags.quiet === true) printLines([e164]);
    else console.error(`${e164} may be called again.`);
  }
}

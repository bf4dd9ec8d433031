import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readBatch, someRecords } from './answers.js';
import type { BatchBook, SingleBook } from './books.js';
import type { Customer } from './customer.js';
import type { Journal } from './journal.js';

interface Parts {
  readonly batches: readonly BatchBook[];
  readonly singles: readonly SingleBook[];
  /** @returns undefined if the account is unknown */
  readonly customerOf: (account: string) => Customer | undefined;
  readonly journal: Journal;
  readonly logFolder: string;
}

/** An API that answers nobody must not hold up the end of the soak. */
const answerWithinMs = 15_000;
const unsettled = 'pending,dialing,in-progress,retrying';
const mostBatches = 3;
const mostRecords = 5;
const mostLogLines = 25;
const longestLine = 400;

/** Puts into the journal what the API and the logs say of that which has not come to its end, so that its timeline tells why. */
export async function noteLastWords({ batches, singles, customerOf, journal, logFolder }: Parts): Promise<void> {
  const stuck = batches.filter(({ end }) => end === undefined).slice(0, mostBatches);
  const notes = stuck.map(async ({ account, batchId }) => {
    const customer = customerOf(account);
    if (customer === undefined) return;
    const note = (answer: object): void => journal.add('state', JSON.stringify(answer), [batchId]);
    note(await readBatch(customer, batchId));
    for (const record of (await someRecords(customer, batchId, unsettled)).slice(0, mostRecords)) note(record);
  });
  await Promise.race([Promise.allSettled(notes), delay(answerWithinMs)]);
  const callIds = singles.filter(({ callId, end }) => callId !== '' && end === undefined).map(({ callId }) => callId);
  for (const id of [...stuck.map(({ batchId }) => batchId), ...callIds]) noteLogs(journal, logFolder, id);
}

/** The last lines of all logs that name this id. */
function noteLogs(journal: Journal, folder: string, id: string): void {
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.includes(id))
      .map((line) => ({ name, line, atMs: timeOf(line) })),
  );
  lines.sort((a, b) => a.atMs - b.atMs);
  for (const { name, line, atMs } of lines.slice(-mostLogLines)) {
    journal.addAt(atMs, 'log', `${name} ${line.slice(0, longestLine)}`, [id]);
  }
}

/** When a line of a log was written; those of other programs have no such time and are told at the end. */
function timeOf(line: string): number {
  const atMs = Date.parse(/"time":"([^"]+)"/.exec(line)?.[1] ?? '');
  return Number.isNaN(atMs) ? Date.now() : atMs;
}

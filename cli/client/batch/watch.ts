import { setTimeout as delay } from 'node:timers/promises';
import { countsOf, settledOf } from '../../demo/outcome.js';
import type { ClientFlags } from '../../commands/service-options.js';
import type { Client } from '../client.js';
import { CommandFailed, exitCodes } from '../exit-codes.js';
import { printLines } from '../output.js';
import { printable } from '../printable.js';
import { whileAway } from '../while-away.js';
import { showWatched } from './display.js';
import { finalStatuses, WatchedBatch } from './watched-batch.js';

const shortestMs = 1_000;
const longestMs = 15_000;

/**
 * Follows a batch call to its end. The API has no stream of events, so it is asked: each second while something happens, less
 * often while nothing does.
 *
 * @param hasAnswered whether the service has just made it; otherwise it has to answer once, because it may not be there at all
 * @throws CommandFailed whose exit code says how it ended, unless it was completed
 */
export async function watchBatch(
  client: Client,
  batchId: string,
  { output, quiet }: ClientFlags,
  hasAnswered = false,
): Promise<void> {
  const display = showWatched(process.stderr);
  const detach = (): void => {
    display.end();
    console.error(`${batchId} goes on. Watch it again with: outdial batch watch ${batchId}`);
    process.exit(exitCodes.interrupted);
  };
  process.once('SIGINT', detach);
  try {
    const told = (words: string): void => {
      display.end();
      console.error(words);
    };
    const patiently = whileAway({ what: 'the batch call', told, hasAnswered });
    const last = await follow(
      () => patiently(() => readBatch(client, batchId)),
      (batch) => (quiet === true ? undefined : display.show(batch)),
    );
    display.end();
    if (output === 'json') printLines([JSON.stringify(last, null, 2)]);
    else if (quiet !== true) printLines(endOf(last));
    failUnlessCompleted(last);
  } finally {
    process.off('SIGINT', detach);
    display.end();
  }
}

/** @param read gives undefined while the service is away */
async function follow(
  read: () => Promise<WatchedBatch | undefined>,
  show: (batch: WatchedBatch) => void,
): Promise<WatchedBatch> {
  let waitMs = shortestMs;
  let seen = '';
  for (;;) {
    const batch = await read();
    if (batch !== undefined) {
      show(batch);
      if (finalStatuses.includes(batch.status)) return batch;
      const now = JSON.stringify([batch.status, batch.counts, batch.paused]);
      waitMs = now === seen ? Math.min(waitMs * 1.5, longestMs) : shortestMs;
      seen = now;
    }
    await delay(waitMs);
  }
}

const readBatch = async (client: Client, batchId: string): Promise<WatchedBatch> =>
  WatchedBatch.parse(await client.ask('batchCalls.get', { path: { batchId } }));

function endOf(batch: WatchedBatch): string[] {
  const counts = countsOf(batch.counts);
  const width = Math.max(0, ...counts.map(([status]) => status.length));
  return [
    `${printable(batch.batchName)} (${batch.batchId}) is ${batch.status}: ${settledOf(batch.counts)} of ${batch.recordsUploaded} over`,
    ...counts.map(([status, count]) => `  ${status.padEnd(width)}  ${count}`),
    ...(batch.recordsRejected > 0 ? [`  ${batch.recordsRejected} rows of the file were not called`] : []),
    ...(batch.simulated ? ['  No telephone was reached: the carrier is a simulation.'] : []),
  ];
}

function failUnlessCompleted({ batchId, status, parseError }: WatchedBatch): void {
  if (status === 'completed') return;
  if (status === 'cancelled') throw new CommandFailed(exitCodes.cancelled, `${batchId} was cancelled.`);
  throw new CommandFailed(exitCodes.failed, `${batchId}: the file cannot be used: ${printable(parseError ?? '')}`);
}

import { setTimeout as delay } from 'node:timers/promises';
import { countsOf, settledOf } from '../../demo/outcome.js';
import type { ClientFlags } from '../../commands/service-options.js';
import type { Client } from '../client.js';
import { CommandFailed, exitCodes } from '../exit-codes.js';
import { printLines } from '../output.js';
import { printable } from '../printable.js';
import { showWatched } from './display.js';
import { finalStatuses, WatchedBatch } from './watched-batch.js';

const shortestMs = 1_000;
const longestMs = 15_000;
/** How long the service may be away before watching gives up. The batch call goes on in any case. */
const patienceMs = 300_000;

/**
 * Follows a batch call to its end. The API has no stream of events, so it is asked: each second while something happens, less
 * often while nothing does.
 *
 * @throws CommandFailed whose exit code says how it ended, unless it was completed
 */
export async function watchBatch(client: Client, batchId: string, { output, quiet }: ClientFlags): Promise<void> {
  const display = showWatched(process.stderr);
  const detach = (): void => {
    display.end();
    console.error(`${batchId} goes on. Watch it again with: outdial batch watch ${batchId}`);
    process.exit(exitCodes.interrupted);
  };
  process.once('SIGINT', detach);
  try {
    const last = await follow(client, batchId, {
      show: (batch) => (quiet === true ? undefined : display.show(batch)),
      away: (words) => {
        display.end();
        console.error(`${words} Waiting for it, up to ${patienceMs / 60_000} minutes; the batch call goes on.`);
      },
    });
    display.end();
    if (output === 'json') printLines([JSON.stringify(last, null, 2)]);
    else if (quiet !== true) printLines(endOf(last));
    failUnlessCompleted(last);
  } finally {
    process.off('SIGINT', detach);
    display.end();
  }
}

interface Told {
  readonly show: (batch: WatchedBatch) => void;
  /** Called once each time that the service stops answering. */
  readonly away: (words: string) => void;
}

async function follow(client: Client, batchId: string, { show, away }: Told): Promise<WatchedBatch> {
  let waitMs = shortestMs;
  let seen = '';
  // A service that has never answered may not be there at all.
  let answeredAt = -Infinity;
  let isAway = false;
  for (;;) {
    const batch = await readBatch(client, batchId, performance.now() - answeredAt < patienceMs);
    if (batch instanceof CommandFailed) {
      if (!isAway) away(batch.message);
      isAway = true;
    } else {
      isAway = false;
      answeredAt = performance.now();
      show(batch);
      if (finalStatuses.includes(batch.status)) return batch;
      const now = JSON.stringify([batch.status, batch.counts, batch.paused]);
      waitMs = now === seen ? Math.min(waitMs * 1.5, longestMs) : shortestMs;
      seen = now;
    }
    await delay(waitMs);
  }
}

/** @returns the failure if the service does not answer and may still come back */
async function readBatch(client: Client, batchId: string, mayWait: boolean): Promise<WatchedBatch | CommandFailed> {
  try {
    return WatchedBatch.parse(await client.ask('batchCalls.get', { path: { batchId } }));
  } catch (error) {
    if (mayWait && error instanceof CommandFailed && error.exitCode === exitCodes.unavailable) return error;
    throw error;
  }
}

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

import { z } from 'zod';
import type { BatchDetailRow } from '../../db/queries/batches/batches.js';
import { holdOf } from '../../domain/batch/hold.js';
import { waitsOf } from '../../domain/batch/waiting-row.js';
import { waitingSentence } from '../../domain/batch/waiting-sentence.js';
import { isFinished, asBatchStatus } from '../../domain/batch/batch-call.js';
import { standstillOf } from '../../domain/batch/standstill.js';
import { noVersions, type WorkersNow } from '../../domain/workflow/worker-versions.js';
import type { Env } from '../../platform/env.js';
import { instant } from '../fields.js';
import { waitingReason } from '../reasons.js';
import { callingOf } from './hold.js';

const Waiting = z
  .strictObject({
    total: z.int().describe('Recipients that wait: `pending` and `retrying` of `counts` together'),
    reasons: z
      .array(
        z.strictObject({
          reason: waitingReason().describe('Why they wait'),
          count: z.int().describe('How many wait for this'),
          until: instant()
            .nullable()
            .describe('When the first of them can go, as far as this reason decides; null if an event decides'),
        }),
      )
      .describe('By reason; the counts add up to `total`'),
  })
  .meta({
    id: 'Waiting',
    examples: [
      { total: 1, reasons: [{ reason: 'calling_window' as const, count: 1, until: '2026-03-02T15:00:00.000Z' }] },
    ],
  });

/** Fields that say what the recipients of a batch call wait for. */
export const waitingFields = {
  waiting: Waiting.describe('What recipients wait for that are to be called, for the first time or again'),
  waitingFor: z.string().describe('The same as a sentence for people; times are by the clocks of the recipients'),
};

export const exampleWaiting = {
  waiting: {
    total: 1,
    reasons: [{ reason: 'calling_window' as const, count: 1, until: '2026-03-02T15:00:00.000Z' }],
  },
  waitingFor: '1 waits until 09:00 in Chicago.',
};

/** What the recipients of a batch wait for, and the batch itself if its file is not read yet or a part of the service is missing. */
export function waitingBody(row: BatchDetailRow, env: Env, workers: WorkersNow = noVersions, now = new Date()) {
  const calling = callingOf(env);
  const { total, waits } = waitsOf(row, calling, now);
  const { id, fileTurn, dialers } = row;
  const unsent = total > 0 && !holdOf(row, calling).paused ? row.unsent : null;
  const { missing, strandedBatches } = workers;
  const standstill = isFinished(asBatchStatus(row.status))
    ? []
    : standstillOf({
        ...{ fileTurn, isDue: row.waits?.due ?? false, dialers, missing, strandedOn: strandedBatches.get(id) },
        ...{ unsent, now },
      });
  const calls = waits.length === 0 && standstill.length > 0 ? [] : [waitingSentence(waits, now)];
  return {
    waiting: {
      total,
      reasons: waits.map(({ reason, count, until }) => ({ reason, count, until: until?.toISOString() ?? null })),
    },
    waitingFor: [...calls, ...standstill].join(' '),
  };
}

import { z } from 'zod';
import {
  findBatchCall,
  type BatchDetailRow,
  type BatchStatsRow,
  findBatchStats,
  findStoredBatch,
  type StoredBatchRow,
} from '../../db/queries/batches/batches.js';
import type { Db } from '../../db/client.js';
import type { SettingsRow } from '../../db/queries/batches/settings.js';
import { windowBody } from '../../domain/call/calling-window-answer.js';
import { answeredFields } from '../../domain/batch/form-fields.js';
import { notFound } from '../../domain/errors.js';
import { batchCostField } from '../cost.js';
import { instant } from '../fields.js';
import { holdFields } from './hold.js';
import { batchCallItemBody, type BatchSurroundings, simulated } from './item.js';
import { batchCallBody, batchCallFields, Counts, exampleCounts, exampleRunning, progress } from './schema.js';
import { exampleWaiting, waitingFields } from './waiting.js';
import { UnfilledPlaceholders } from './unfilled-placeholders.js';

/** What GET of one batch call answers, and every operation that changes one. */
export const BatchCallDetail = z
  .strictObject({
    ...batchCallFields,
    ...holdFields,
    simulated,
    recordsRejected: z.int().describe('Rows of the file that will not be called; see rejected-rows'),
    recordsCorrected: z.int().describe('Rows whose number is corrected before it is dialed'),
    progress,
    counts: Counts,
    ...waitingFields,
    ...answeredFields,
    report: z
      .strictObject({ unfilledPlaceholders: UnfilledPlaceholders })
      .describe('What the reading of the file found; empty before'),
    ...batchCostField,
    startedAt: instant().optional().describe('When it entered running'),
    completedAt: instant().optional().describe('When it came to its end'),
  })
  .meta({
    id: 'BatchCallDetail',
    examples: [
      {
        ...exampleRunning,
        paused: false,
        simulated: false,
        recordsRejected: 0,
        recordsCorrected: 0,
        counts: exampleCounts,
        ...exampleWaiting,
        callingWindow: { from: '09:00', until: '20:00', daysOfWeek: [1, 2, 3, 4, 5], timezone: 'recipient' },
        open: false,
        priority: 5,
        unfilledPlaceholders: 'allow' as const,
        report: { unfilledPlaceholders: [{ path: 'languages.english.prompt', placeholder: 'doctor' }] },
        startedAt: '2026-03-02T17:30:00.040Z',
      },
    ],
  });

const AnsweredSettings = z.object(answeredFields);

/** The settings that were sent; nulls are omitted. */
const settingsBody = (row: SettingsRow): z.output<typeof AnsweredSettings> =>
  AnsweredSettings.parse(
    Object.fromEntries(
      Object.entries(row)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [name, name === 'callingWindow' ? windowBody(value) : value]),
    ),
  );

/** The part of the answer that follows from what is stored: everything that PATCH compares. */
export const storedBatchBody = (row: StoredBatchRow) => ({
  ...batchCallBody(row),
  simulated: row.simulated,
  ...settingsBody(row),
});

export const batchCallDetailBody = (
  row: BatchDetailRow,
  deps: BatchSurroundings,
): z.output<typeof BatchCallDetail> => ({
  ...batchCallItemBody(row, deps),
  recordsRejected: row.recordsRejected,
  recordsCorrected: row.recordsCorrected,
  ...settingsBody(row),
  report: { unfilledPlaceholders: UnfilledPlaceholders.parse(row.unfilledFound) },
  ...(row.startedAt === null ? {} : { startedAt: row.startedAt.toISOString() }),
  ...(row.completedAt === null ? {} : { completedAt: row.completedAt.toISOString() }),
});

/** In the same words whether it never was, is another account's, or is not even an id. */
export const batchCallNotFound = () => notFound('Batch call not found');

/** @throws Failure `not_found` */
export async function requireBatchCall(db: Db, accountId: string, batchId: string): Promise<BatchDetailRow> {
  const row = await findBatchCall(db, accountId, batchId);
  if (row === null) throw batchCallNotFound();
  return row;
}

/**
 * A batch call as it is stored, for those who hold its lock or show nothing of its calls: what its recipients wait for is not
 * worked out.
 *
 * @throws Failure `not_found`
 */
export async function requireStoredBatch(db: Db, accountId: string, batchId: string): Promise<StoredBatchRow> {
  const row = await findStoredBatch(db, accountId, batchId);
  if (row === null) throw batchCallNotFound();
  return row;
}

/**
 * The counters of a batch call, for those who show nothing else of it: what its recipients wait for is not worked out.
 *
 * @throws Failure `not_found`
 */
export async function requireBatchStats(db: Db, accountId: string, batchId: string): Promise<BatchStatsRow> {
  const stats = await findBatchStats(db, accountId, batchId);
  if (stats === null) throw batchCallNotFound();
  return stats;
}

import { waitingBody } from '../../../api/batch-calls/waiting.js';
import type { Db } from '../../../db/client.js';
import { findBatchCall } from '../../../db/queries/batches/batches.js';
import { readEnv } from '../../../platform/env.js';

const simulated = { OUTDIAL_SECRET_KEY: 'x'.repeat(64) };

/** What the API says of the recipients of a batch that wait, and of its counts, from one reading of the database. */
export async function waitingOfBatch(
  db: Db,
  accountId: string,
  batchId: string,
  settings: Readonly<Record<string, string>> = { OUTDIAL_PROVIDER: 'simulator' },
) {
  const row = await findBatchCall(db, accountId, batchId);
  if (row === null) throw new Error(`There is no batch ${batchId}.`);
  const { waiting, waitingFor } = waitingBody(row, { ...readEnv(simulated), ...settings });
  return {
    sentence: waitingFor,
    total: waiting.total,
    counted: row.pending + row.retrying,
    sum: waiting.reasons.reduce((sum, { count }) => sum + count, 0),
    /** Of which zones or a hold are known. */
    known: row.waits?.groups.reduce((sum, [, , , calls]) => sum + calls, 0) ?? 0,
    counts: Object.fromEntries(waiting.reasons.map(({ reason, count }) => [reason, count])),
    until: Object.fromEntries(waiting.reasons.map(({ reason, until }) => [reason, until])),
  };
}

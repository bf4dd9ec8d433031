import { sql } from 'kysely';
import { here } from '../support.js';
import { aBatchOf } from './support-records.js';

const begin = Date.parse('2026-03-01T23:58:00Z');
/** So many seconds after the beginning of those batches. */
export const at = (seconds: number) => new Date(begin + seconds * 1000).toISOString();

/** A batch whose calls were dialed and ended at these seconds, and answered half way; without an end they are live. */
export async function aDialedBatch(legs: readonly (readonly [number, number?])[], isOver = true): Promise<string> {
  const { db } = here().database;
  const { batchId, callIds } = await aBatchOf(
    legs.map((_, index) => ({ phoneNumber: `+1415555${String(2000 + index)}`, status: 'pending' as const })),
    { status: isOver ? 'completed' : 'running' },
  );
  for (const [index, [dialed, ended]] of legs.entries()) {
    const callId = callIds[index]!;
    const live = ended === undefined;
    await sql`
      insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, phase, outcome, due_at, dialed_at,
        answered_at, ended_at, invite, claimed_by)
      select id, 1, account_id, batch_id, gateway_id, to_number, ${live ? 'answered' : 'ended'}, ${live ? null : 'answered'}, now(),
        ${at(dialed)}, ${at(live ? dialed : (dialed + ended) / 2)}, ${live ? null : at(ended)}, 1, gen_random_uuid()
      from calls where id = ${callId}`.execute(db);
    if (live) continue;
    await sql`update calls set status = 'answered', attempts_made = 1, ended_at = ${at(ended)} where id = ${callId}`.execute(
      db,
    );
  }
  return batchId;
}

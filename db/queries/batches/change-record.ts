import { sql } from 'kysely';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import { mostColumns } from '../../../domain/batch/column-names.js';
import { ordinaryPriority, prioritiesOf } from '../../../domain/batch/dialing-order.js';
import { firstAddedPosition } from '../../../domain/batch/fan-out.js';
import type { CallingWindow } from '../../../domain/call/calling-window.js';
import type { Db } from '../../client.js';
import { reloadWorkflowsOf } from '../calls/stop-waiting.js';
import { addToOutbox } from '../outbox.js';
import { growingStatuses } from './add-recipients.js';
import { goBy, type NewMetadata, zonesNamed } from './named-zone.js';
import { timeByWindow } from './window.js';

/** What is to be changed in a record. Omitted: as it is; null: cleared. */
export interface RecordChange {
  readonly metadata?: NewMetadata;
  /** ISO instant, UTC */
  readonly notBefore?: string | null;
  readonly priority?: number | null;
}

/**
 * What became of the change: `changed`; `unknown` if the batch has no such record, `over` if it is ending, `live` while the recipient
 * is being called, `dialed` once it has been, `settled` if it is over, `too_many_names` if all metadata would have too many,
 * `unknown_zone` if the metadata's `timezone` is none. Whatever is not `changed` is to be rolled back.
 */
export type RecordChanged =
  | { readonly outcome: 'changed'; readonly gatewayId: string }
  | { readonly outcome: 'unknown' | 'over' | 'live' | 'dialed' | 'settled' | 'too_many_names' | 'unknown_zone' };

interface BatchOfRecord {
  readonly status: BatchStatus;
  readonly priorities: readonly number[] | null;
  readonly columns: readonly string[];
  readonly startsWhole: boolean;
  readonly callsPerWorkflow: number | null;
  readonly window: CallingWindow | null;
  readonly timezone: string;
}

const batchColumns = sql`b.status, b.priorities, b.columns, b.starts_whole as "startsWhole",
  b.calls_per_workflow as "callsPerWorkflow", b.calling_window as window, b.timezone`;

/** What the change asks of the batch itself; null: nothing. */
interface AskedOfBatch {
  readonly priorities: readonly number[] | null;
  readonly startsWhole: boolean;
  readonly names: readonly string[];
}

function askedOf(batch: BatchOfRecord, position: number, change: RecordChange): AskedOfBatch | null {
  const { priority } = change;
  const known = new Set(batch.priorities ?? [ordinaryPriority]);
  const isNew = typeof priority === 'number' && !known.has(priority);
  const names = (change.metadata?.names ?? []).filter((name) => !batch.columns.includes(name));
  // Groups that have not begun may hold someone who now comes first.
  const startsWhole = priority !== undefined && !batch.startsWhole && position < firstAddedPosition;
  if (!isNew && !startsWhole && names.length === 0) return null;
  return { priorities: isNew ? prioritiesOf(known.add(priority)) : null, startsWhole, names };
}

/** The batch, locked as far as the change needs it: what is asked of it only ever grows. */
async function lockBatchOf(tx: Db, batchId: string, asked: AskedOfBatch | null): Promise<BatchOfRecord | undefined> {
  const { rows } =
    asked === null
      ? await sql<BatchOfRecord>`select ${batchColumns} from batches b where b.id = ${batchId} for share`.execute(tx)
      : await sql<BatchOfRecord>`
          update batches b set starts_whole = b.starts_whole or ${asked.startsWhole},
            columns = b.columns || array(
              select name from unnest(${[...asked.names]}::text[]) with ordinality as n (name, place)
              where name <> all (b.columns) order by place),
            priorities = case when ${asked.priorities}::smallint[] is null then b.priorities else array(
              select distinct unnest(coalesce(b.priorities, '{}') || ${asked.priorities}::smallint[]) order by 1) end
          where b.id = ${batchId}
          returning ${batchColumns}`.execute(tx);
  return rows[0];
}

/**
 * Changes a recipient that was never dialed. The call's lock decides between this and the gate. A dialer that has claimed the
 * recipient loses it to the queue, because it may have prepared the call by what was before. Locks as everywhere: the batch,
 * the call, its attempts, counters (by the trigger).
 *
 * @param callId the bare UUID
 * @param now instant from which calling windows are looked for
 */
export async function changeRecord(
  tx: Db,
  { accountId, batchId, callId }: { readonly accountId: string; readonly batchId: string; readonly callId: string },
  change: RecordChange,
  now: Date,
): Promise<RecordChanged> {
  const { rows: found } = await sql<BatchOfRecord & { position: number }>`
    select ${batchColumns}, c.position from calls c join batches b on b.id = c.batch_id
    where c.id = ${callId} and c.batch_id = ${batchId} and c.account_id = ${accountId}`.execute(tx);
  const [before] = found;
  if (before === undefined) return { outcome: 'unknown' };
  const asked = askedOf(before, before.position, change);
  const batch = await lockBatchOf(tx, batchId, asked);
  const { rows: calls } = await sql<{
    settled: boolean;
    dialed: boolean;
    gatewayId: string;
    nextAttemptAt: Date | null;
  }>`
    select settled, attempts_made > 0 as dialed, gateway_id as "gatewayId", next_attempt_at as "nextAttemptAt"
    from calls where id = ${callId} for no key update`.execute(tx);
  const [call] = calls;
  if (batch === undefined || call === undefined) return { outcome: 'unknown' };
  if (call.settled) return { outcome: 'settled' };
  // A statement of its own: it sees what the gate has committed until the call was locked.
  const { rows: attempts } = await sql<{ attempt: number; live: boolean }>`
    select number as attempt, phase not in ('queued', 'claimed') as live from call_attempts
    where call_id = ${callId} and phase <> 'ended'`.execute(tx);
  if (attempts.some(({ live }) => live)) return { outcome: 'live' };
  if (call.dialed) return { outcome: 'dialed' };
  if (!growingStatuses.includes(batch.status)) return { outcome: 'over' };
  // phone_number is one of the columns.
  if (change.metadata !== undefined && batch.columns.length > mostColumns + 1) return { outcome: 'too_many_names' };

  const { metadata, notBefore, priority } = change;
  const zones =
    metadata === undefined ? 'as_before' : await zonesNamed(tx, { accountId, callId }, metadata, batch.window);
  if (zones === 'unknown_zone') return { outcome: 'unknown_zone' };
  await sql`
    update calls set updated_at = clock_timestamp()
      ${metadata === undefined ? sql`` : sql`, metadata = ${metadata.json}::json`}
      ${priority === undefined ? sql`` : sql`, priority = ${priority}::smallint`}
      ${notBefore === undefined ? sql`` : sql`, not_before = ${notBefore}::timestamptz, next_attempt_at = ${notBefore}::timestamptz`}
    where id = ${callId}`.execute(tx);
  await sql`
    update call_attempts set phase = 'queued', claimed_by = null, dial_at = null
      ${priority === undefined || batch.priorities === null ? sql`` : sql`, priority = ${priority ?? ordinaryPriority}::smallint`}
    where call_id = ${callId} and phase in ('queued', 'claimed')`.execute(tx);
  if (zones !== 'as_before') await goBy(tx, callId, zones);
  if (notBefore !== undefined || zones !== 'as_before') {
    const instant = notBefore === undefined ? call.nextAttemptAt : notBefore;
    await timeByWindow(tx, batch, { callId, attempts, from: laterOf(now, instant) });
  }
  // Its workflow waits for the old instant. Without one it has not begun, or asks the queue, which reads the call.
  const wasTimed = call.nextAttemptAt !== null;
  if (notBefore !== undefined && attempts.length === 0 && wasTimed && batch.status === 'running') {
    const { position } = before;
    await reloadWorkflowsOf(tx, [{ id: callId, batchId, position, callsPerWorkflow: batch.callsPerWorkflow }]);
  }
  if (asked?.startsWhole === true && batch.status === 'running') {
    await addToOutbox(tx, { kind: 'signal', name: 'reconsider', workflowId: batchId, input: {} });
  }
  return { outcome: 'changed', gatewayId: call.gatewayId };
}

const laterOf = (now: Date, instant: string | Date | null): Date =>
  instant !== null && new Date(instant) > now ? new Date(instant) : now;

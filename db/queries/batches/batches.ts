import { sql } from 'kysely';
import type { BatchCounts } from '../../../domain/batch/batch-call.js';
import type { DialingState } from '../../../domain/account/dialing-hold.js';
import type { Ungranted } from '../../../domain/account/grants.js';
import type { Db } from '../../client.js';
import type { Cost } from '../../../domain/account/money.js';
import { byIndexes } from '../by-indexes.js';
import { costOfBatch } from '../figures/figures.js';
import type { PauseReason } from '../../../domain/batch/pause-reasons.js';
import type { DialersNow, FileTurn } from '../../../domain/batch/standstill.js';
import type { BatchWaits, DialingRoom } from '../../../domain/batch/waiting-row.js';
import type { Unsent } from '../../../domain/call/unsent.js';
import { answeredColumns, type SettingsRow } from './settings.js';
import { unsentOf } from '../dialer/gateway-health.js';
import { dialersColumn } from '../dialer/lease.js';
import { filesBefore } from '../upkeep/reading-turns.js';
import { roomOfGateways, waitsColumn } from './waiting.js';

/** A batch with what the API always says of it. */
export interface BatchRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly numberId: string;
  readonly fromNumber: string;
  readonly ruleId: string;
  readonly status: string;
  readonly timing: string;
  readonly timezone: string;
  readonly scheduledDate: string | null;
  readonly scheduledTime: string | null;
  readonly startsAt: Date;
  readonly retryEnabled: boolean;
  readonly retryOn: readonly string[];
  readonly retryDelaysSeconds: readonly number[];
  readonly recordsUploaded: number;
  readonly parseError: string | null;
  readonly filename: string;
  readonly extension: string;
  readonly fileKey: string;
  readonly retriedFrom: string | null;
  readonly stoppedBy: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a batch has cost. */
export interface PricedRow {
  /** Of the account’s prices; null: it has none. */
  readonly currency: string | null;
  /** null: it has none. */
  readonly cost: Cost | null;
}

/** Columns of {@link PricedRow} from `batches b`. An account without prices pays with one look by a key. */
const pricedColumns = sql`
  (select p.currency from account_prices p where p.account_id = b.account_id) as currency,
  case when exists (select 1 from account_prices p where p.account_id = b.account_id) then ${costOfBatch} end as cost`;

/** Columns of `batch_counters` by the status that each counts. */
export interface CounterRow {
  readonly pending: number;
  readonly dialing: number;
  readonly inProgress: number;
  readonly retrying: number;
  readonly answered: number;
  readonly failed: number;
  readonly notAnswered: number;
  readonly rejected: number;
  readonly missed: number;
  readonly abandoned: number;
  readonly cancelled: number;
  /** Of those that are answered. */
  readonly human: number;
  readonly machine: number;
}

/** The counts that the API answers. */
export const countsOf = (row: CounterRow): BatchCounts => ({
  pending: row.pending,
  dialing: row.dialing,
  'in-progress': row.inProgress,
  retrying: row.retrying,
  answered: row.answered,
  failed: row.failed,
  'not-answered': row.notAnswered,
  rejected: row.rejected,
  missed: row.missed,
  abandoned: row.abandoned,
  cancelled: row.cancelled,
  human: row.human,
  machine: row.machine,
});

/** Columns of {@link BatchRow} from `batches b` and its file `f`. The upload's bytes are not among them. */
export const batchColumns = sql`
  b.id, b.name, b.description, b.number_id as "numberId", b.from_number as "fromNumber", b.rule_id as "ruleId", b.status,
  b.timing, b.timezone, b.scheduled_date as "scheduledDate", b.scheduled_time as "scheduledTime",
  b.starts_at as "startsAt", b.retry_enabled as "retryEnabled", b.retry_on as "retryOn",
  b.retry_delays_seconds as "retryDelaysSeconds", b.records_uploaded as "recordsUploaded",
  b.parse_error as "parseError", coalesce(f.filename, b.filename, '') as filename,
  coalesce(f.extension, b.extension, '') as extension, coalesce(f.key, b.file_key, '') as "fileKey",
  b.retried_from as "retriedFrom", b.stopped_by as "stoppedBy", b.created_at as "createdAt", b.updated_at as "updatedAt"`;

/** Columns of {@link CounterRow} from `batch_counters k`, which a batch has from the end of its parsing on. */
export const counterColumns = sql`
  coalesce(k.pending, 0) as pending, coalesce(k.dialing, 0) as dialing, coalesce(k.in_progress, 0) as "inProgress",
  coalesce(k.retrying, 0) as retrying, coalesce(k.answered, 0) as answered, coalesce(k.failed, 0) as failed,
  coalesce(k.not_answered, 0) as "notAnswered", coalesce(k.rejected, 0) as rejected, coalesce(k.missed, 0) as missed,
  coalesce(k.abandoned, 0) as abandoned, coalesce(k.cancelled, 0) as cancelled,
  coalesce(k.human, 0) as human, coalesce(k.machine, 0) as machine`;

export interface BatchDetailRow extends BatchRow, CounterRow, DialingState, SettingsRow, PricedRow {
  readonly gatewayId: string;
  readonly paused: boolean;
  readonly pausedReason: PauseReason | null;
  readonly pausedDetails: string | null;
  readonly simulated: boolean;
  readonly recordsRejected: number;
  readonly recordsCorrected: number;
  /** What the reading of the file found. */
  readonly unfilledFound: unknown;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  /** What holds a running batch that is not paused itself; not in its row, because the dialer reads it from its source. */
  readonly agentActive: boolean;
  readonly gatewaySuspended: boolean;
  /** The carrier's message. */
  readonly suspendedReason: string | null;
  /** As the gateway names it: a name, or `auto`. */
  readonly region: string | null;
  /** Regions that have an agent worker. */
  readonly servedRegions: readonly string[];
  /** Grants that the batch needs and does not have. */
  readonly ungranted: Ungranted;
  /**
   * Of a running batch whose window follows its callees' clocks: the different zones of the first calls in its queue, those
   * of one callee separated by commas; null if none is known.
   */
  readonly zonesInQueue: readonly (string | null)[] | null;
  readonly windowMoving: boolean;
  /** Of a batch that is `parsing`; null if it has no file. */
  readonly fileTurn: FileTurn | null;
  /** For all accounts. */
  readonly dialers: DialersNow;
  /** What its recipients wait for, counted with the counters; null if it is not running, or none waits. */
  readonly waits: BatchWaits | null;
  /** Why the gateway sends no call, unless the carrier has suspended it; null: it does, as far as is known. */
  readonly unsent: Unsent | null;
  /** How many more calls the gateways of the batches that were asked for take. */
  readonly room: DialingRoom;
}

/** Whose zones are looked at, of those that are queued: the first that are due. */
const queuedLookedAt = 500;

const nothingUngranted: Ungranted = { numbers: [], hosts: [], headers: [] };

/** Columns of {@link BatchDetailRow} from `batches b` and {@link detailJoins}. */
export const detailColumns = sql`
  ${batchColumns}, ${counterColumns}, ${pricedColumns}, b.gateway_id as "gatewayId", b.paused, b.paused_reason as "pausedReason",
  b.paused_details as "pausedDetails", b.simulated, b.records_rejected as "recordsRejected",
  b.records_corrected as "recordsCorrected", ${answeredColumns}, b.unfilled_placeholders as "unfilledFound",
  b.started_at as "startedAt",
  b.completed_at as "completedAt", c.suspended_at as "suspendedAt", c.dialing_stopped_at as "dialingStoppedAt",
  (select s.dialing_stopped_at from service_state s) as "serviceStoppedAt",
  coalesce(a.status = 'active', false) and (b.variants is null or are_variants_active(b.variants)) as "agentActive", g.suspended_since is not null as "gatewaySuspended",
  g.suspended_reason as "suspendedReason", w.sip_region as region,
  array(select distinct region from present_agent_workers() where state = 'ready') as "servedRegions",
  case when (select grants_required()) then
    ungranted(b.account_id, array[b.from_number], array[w.address, w.from_host], w.headers)
    else ${JSON.stringify(nothingUngranted)}::json end as ungranted,
  case when b.status = 'running' and b.calling_window ->> 'timezone' = 'recipient' then array(
    select distinct array_to_string(c.time_zones, ',') from (
      select q.call_id from call_attempts q
      where q.gateway_id = b.gateway_id and q.lane = b.id and q.phase = 'queued'
      order by q.due_at limit ${queuedLookedAt}
    ) q join calls c on c.id = q.call_id) end as "zonesInQueue",
  b.window_moving as "windowMoving", case when b.status = 'parsing' and b.retried_from is null
    then json_build_array(${filesBefore}, b.parse_reader is not null) end as "fileTurn", ${dialersColumn} as dialers,
  ${waitsColumn} as waits, case when b.status = 'running' then ${unsentOf(sql`b.gateway_id`)} end as unsent`;

export const detailJoins = sql`
  join accounts c on c.id = b.account_id
  left join batch_files f on f.batch_id = b.id
  left join batch_counters k on k.batch_id = b.id
  left join agents a on a.id = b.agent_id
  left join gateway_admission g on g.gateway_id = b.gateway_id
  left join gateways w on w.id = b.gateway_id`;

export type BatchRowWithoutRoom = Omit<BatchDetailRow, 'room'>;

/**
 * Adds what limits their calls: it changes which reason is told, never the sum of the counts.
 *
 * @param tx as `byIndexes` has it
 * @param accountId null: those of all accounts
 */
export async function withRoom<Row extends BatchRowWithoutRoom>(
  tx: Db,
  accountId: string | null,
  batches: readonly Row[],
): Promise<(Row & Pick<BatchDetailRow, 'room'>)[]> {
  const waiting = batches.filter(({ waits }) => waits !== null);
  const room = await roomOfGateways(tx, accountId, [...new Set(waiting.map(({ gatewayId }) => gatewayId))]);
  return batches.map((batch) => ({ ...batch, room }));
}

/**
 * Those of these batches that are the account's, in this order. Planning this statement takes longer than running it, so it is planned
 * once on each connection.
 *
 * @param tx as `byIndexes` has it
 */
export async function detailsOf(tx: Db, accountId: string, batchIds: readonly string[]): Promise<BatchDetailRow[]> {
  const { rows } = await sql<BatchRowWithoutRoom>`
    -- prepared
    select ${detailColumns}
    from unnest(${batchIds}::text[]) with ordinality as asked (id, place)
    join batches b on b.id = asked.id and b.account_id = ${accountId} ${detailJoins}
    order by asked.place`.execute(tx);
  return withRoom(tx, accountId, rows);
}

/** One batch of the account with all that is known of it, or null. */
export async function findBatchCall(db: Db, accountId: string, batchId: string): Promise<BatchDetailRow | null> {
  const [batch] = await byIndexes(db, (tx) => detailsOf(tx, accountId, [batchId]));
  return batch ?? null;
}

/** What a batch was made with, without what becomes of its calls. */
export interface StoredBatchRow extends BatchRow, SettingsRow {
  readonly gatewayId: string;
  readonly simulated: boolean;
}

/** One batch of the account as it is stored, or null; as cheap in a large batch as in a small one. */
export async function findStoredBatch(db: Db, accountId: string, batchId: string): Promise<StoredBatchRow | null> {
  const { rows } = await sql<StoredBatchRow>`
    select ${batchColumns}, ${answeredColumns}, b.gateway_id as "gatewayId", b.simulated
    from batches b left join batch_files f on f.batch_id = b.id
    where b.account_id = ${accountId} and b.id = ${batchId}`.execute(db);
  return rows[0] ?? null;
}

export interface BatchStatsRow extends CounterRow, PricedRow {
  readonly status: string;
  readonly attempts: number;
  readonly talkSeconds: number;
}

/** A batch's counters, one row of one snapshot: they add up whatever happens meanwhile. Null if there is no such batch. */
export async function findBatchStats(db: Db, accountId: string, batchId: string): Promise<BatchStatsRow | null> {
  const { rows } = await sql<BatchStatsRow>`
    select b.status, ${counterColumns}, ${pricedColumns}, coalesce(k.attempts, 0)::double precision as attempts,
      greatest(0, k.talk_seconds) as "talkSeconds"
    from batches b left join batch_counters k on k.batch_id = b.id
    where b.account_id = ${accountId} and b.id = ${batchId}`.execute(db);
  return rows[0] ?? null;
}

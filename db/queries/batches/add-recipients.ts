import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { UnfilledRule } from '../../../domain/account/defaults.js';
import { cancellableStatuses, type BatchStatus } from '../../../domain/batch/batch-call.js';
import { addedPosition, firstAddedGroup, groupCount, mostCallsPerWorkflow } from '../../../domain/batch/fan-out.js';
import { drawVariant, type Variant, variantKey } from '../../../domain/batch/variants.js';
import type { Db } from '../../client.js';
import { addAllToOutbox } from '../outbox.js';
import type { NewCall } from './parse.js';

/** Statuses in which a batch takes recipients. */
export const growingStatuses: readonly BatchStatus[] = cancellableStatuses.filter((status) => status !== 'cancelling');

/** A batch that recipients are to be added to. */
export interface BatchToGrow {
  readonly accountId: string;
  readonly batchId: string;
  readonly status: BatchStatus;
  readonly ruleId: string;
  readonly variants: readonly Variant[] | null;
  readonly duplicates: 'call' | 'skip';
  readonly missingPlus: 'reject' | 'add';
  readonly defaultCountry: string | null;
  readonly onUnfilled: UnfilledRule;
  /** Names of phone_number and of what the metadata of its recipients holds. */
  readonly columns: readonly string[];
  readonly addedGroups: number;
}

/**
 * Lets requests that add recipients to a batch, and the reading of the JSON that it was made from, go one after the other
 * until the transaction ends. It locks no row: dialers and orders to the batch do not wait for it.
 */
export async function lockRecipients(tx: Db, accountId: string, batchId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${accountId}/${batchId}/recipients`}, 0))`.execute(tx);
}

/** The batch; null if the account has none. */
export async function batchToGrow(tx: Db, accountId: string, batchId: string): Promise<BatchToGrow | null> {
  const { rows } = await sql<BatchToGrow>`
    select account_id as "accountId", id as "batchId", status, rule_id as "ruleId", variants, duplicates,
      missing_plus as "missingPlus", default_country as "defaultCountry", on_unfilled as "onUnfilled", columns,
      added_groups as "addedGroups"
    from batches where id = ${batchId} and account_id = ${accountId}`.execute(tx);
  return rows[0] ?? null;
}

/** Which of these ids the batch has; all that it has if none are named. */
export async function idsPresent(tx: Db, batchId: string, ids?: readonly string[]): Promise<ReadonlySet<string>> {
  const named = ids === undefined ? sql`is not null` : sql`= any (${[...ids]}::text[])`;
  const { rows } = await sql<{ id: string }>`
    select recipient_id as id from calls where batch_id = ${batchId} and recipient_id ${named}`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** A call of the batch to one of the numbers that were asked about. */
export interface CallOfNumber {
  readonly phoneNumber: string;
  /** As it was stored. */
  readonly metadataJson: string;
  readonly hasId: boolean;
}

/** The calls of a batch to these numbers. */
export async function callsToNumbers(
  tx: Db,
  { accountId, batchId }: Pick<BatchToGrow, 'accountId' | 'batchId'>,
  numbers: readonly string[],
): Promise<readonly CallOfNumber[]> {
  if (numbers.length === 0) return [];
  const { rows } = await sql<CallOfNumber>`
    select to_number as "phoneNumber", metadata::text as "metadataJson", recipient_id is not null as "hasId" from calls
    where account_id = ${accountId} and to_number = any (${[...new Set(numbers)]}::text[]) and batch_id = ${batchId}`.execute(
    tx,
  );
  return rows;
}

/** What added recipients bring with them. */
export interface Brought {
  /** Names in their metadata. */
  readonly names: readonly string[];
  /** As `prioritiesOf` gives them. */
  readonly priorities: readonly number[] | null;
}

/**
 * Adds calls to a batch, each request in groups of its own, and the order to start the workflows of these; those of a batch
 * that does not run yet are started with it. The batch's row is locked only from its update to the commit, because gates wait
 * for it. Locks as everywhere: the batch, then its counters; the calls are new.
 *
 * @returns false if the batch takes no more recipients: roll back
 */
export async function addCalls(
  tx: Db,
  batch: BatchToGrow,
  calls: readonly NewCall[],
  brought: Brought,
): Promise<boolean> {
  const { accountId, batchId } = batch;
  const first = addedPosition(batch.addedGroups);
  const drawn = calls.map((call, place) =>
    batch.variants === null ? null : drawVariant(batch.variants, batchId, { ...call, position: first + place }),
  );
  const groups = groupCount(calls.length, mostCallsPerWorkflow);
  await sql`
    insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id, simulated,
      metadata, time_zones, recipient_id, options, priority, not_before, next_attempt_at, variant)
    select n.id, b.account_id, b.id, ${first}::integer + n.place::integer - 1, n.to_number, b.from_number, b.rule_id,
      b.gateway_id, coalesce(n.agent_id, b.agent_id), b.simulated, n.metadata::json, coalesce(string_to_array(nullif(n.zones, ''), ','), '{}'),
      n.recipient_id, n.options::jsonb, n.priority, n.not_before, n.not_before, n.variant
    from unnest(${calls.map(() => uuidv7())}::uuid[], ${calls.map((call) => call.phoneNumber)}::text[],
      ${calls.map((call) => call.metadataJson)}::text[], ${calls.map((call) => (call.timeZones ?? []).join())}::text[],
      ${calls.map((call) => call.id ?? null)}::text[], ${calls.map((call) => call.optionsJson ?? null)}::text[],
      ${calls.map((call) => call.priority ?? null)}::smallint[], ${calls.map((call) => call.notBefore ?? null)}::timestamptz[],
      ${drawn.map((variant) => variant?.agentId ?? null)}::text[],
      ${drawn.map((variant) => (variant === null ? null : variantKey(variant)))}::text[])
      with ordinality as n (id, to_number, metadata, zones, recipient_id, options, priority, not_before, agent_id, variant, place)
    join batches b on b.id = ${batchId} and b.account_id = ${accountId}`.execute(tx);
  const { rows } = await sql<{ status: BatchStatus }>`
    update batches set added_groups = added_groups + ${groups}, records_uploaded = records_uploaded + ${calls.length},
      columns = columns || array(
        select name from unnest(${brought.names}::text[]) with ordinality as n (name, place)
        where name <> all (columns) order by place),
      priorities = case when ${brought.priorities}::smallint[] is null then priorities else array(
        select distinct unnest(coalesce(priorities, '{}') || ${brought.priorities}::smallint[]) order by 1) end,
      updated_at = clock_timestamp()
    where id = ${batchId} and account_id = ${accountId} and status = any (${[...growingStatuses]}::text[])
    returning status`.execute(tx);
  const [grown] = rows;
  if (grown === undefined) return false;
  if (grown.status === 'running') {
    const added = Array.from({ length: groups }, (_, index) => firstAddedGroup + batch.addedGroups + index);
    await addAllToOutbox(
      tx,
      added.map((group) => ({ kind: 'start', name: 'calls', input: { accountId, batchId, group } })),
    );
  }
  await sql`
    insert into batch_counters (batch_id, pending) values (${batchId}, ${calls.length})
    on conflict (batch_id) do update set pending = batch_counters.pending + excluded.pending`.execute(tx);
  await sql`select add_batch_waits(${batchId}, ${first}::integer, ${first + calls.length - 1}::integer)`.execute(tx);
  return true;
}

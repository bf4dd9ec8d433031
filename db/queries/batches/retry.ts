import { sql } from 'kysely';
import { amountOf } from '../../../domain/account/money.js';
import { asBatchStatus, type BatchStatus } from '../../../domain/batch/batch-call.js';
import { type Variant, VariantsInput } from '../../../domain/batch/variants.js';
import type { RetryOutcome } from '../../../domain/call/call.js';
import type { Db } from '../../client.js';
import type { BatchRoute } from './create.js';
import { addToOutbox } from '../outbox.js';
import { allSettingsColumns } from './settings.js';

/** A batch whose unsuccessful recipients are to be called again. */
export interface BatchToRetry {
  readonly status: BatchStatus;
  readonly name: string;
  readonly numberId: string;
  readonly ruleId: string;
  /** null: it calls from one number. */
  readonly phoneNumbers: readonly string[] | null;
  readonly variants: readonly Variant[] | null;
  /** null: any amount. */
  readonly maxCost: number | null;
  /** The recipients' data was deleted when its time was over. */
  readonly purged: boolean;
}

/** The batch, kept from being deleted until the transaction ends; null if the account has none. */
export async function lockBatchToRetry(tx: Db, accountId: string, batchId: string): Promise<BatchToRetry | null> {
  const row = await tx
    .selectFrom('batches')
    .select([
      'status',
      'name',
      'number_id as numberId',
      'rule_id as ruleId',
      'phone_numbers as phoneNumbers',
      'variants',
      'max_cost as maxCost',
      'purged_at as purgedAt',
    ])
    .where('account_id', '=', accountId)
    .where('id', '=', batchId)
    .forShare()
    .executeTakeFirst();
  if (row === undefined) return null;
  const { purgedAt, status, variants, maxCost, ...rest } = row;
  return {
    ...{ ...rest, status: asBatchStatus(status), purged: purgedAt !== null },
    variants: VariantsInput.nullable().parse(variants),
    maxCost: maxCost === null ? null : amountOf(maxCost),
  };
}

/** Why a recipient `c` of a batch is not called again, null if it is: a wish, or a number that can never be reached. */
const leftOut = sql`
  case
    when exists (select 1 from do_not_call n where n.account_id = c.account_id and n.e164 = c.to_number)
      then 'do_not_call'
    when exists (select 1 from call_attempts a
      where a.call_id = c.id and a.number = c.attempts_made and a.permanent) then 'invalid_number'
  end`;

/** Recipients `c` of a batch with one of these outcomes; erased ones no longer have a number. */
const retriable = (accountId: string, batchId: string, statuses: readonly string[]) => sql`
  c.batch_id = ${batchId} and c.account_id = ${accountId} and (c.status = any (${[...statuses]}::text[])
    or ${statuses.includes('voicemail')} and c.status = 'answered' and c.answered_by = 'machine'
    or ${statuses.includes('unsuccessful')} and c.status = 'answered' and c.success is false
      and c.answered_by is distinct from 'machine')
  and c.erased_at is null`;

/** Whether any number of the batch would be called again. */
export async function hasRecipientsToRetry(
  tx: Db,
  accountId: string,
  batchId: string,
  statuses: readonly (RetryOutcome | 'cancelled')[],
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select 1 from calls c where ${retriable(accountId, batchId, statuses)} and ${leftOut} is null) as found`.execute(
    tx,
  );
  return rows[0]?.found === true;
}

export interface NewRetry {
  readonly accountId: string;
  /** Of the new batch. */
  readonly batchId: string;
  readonly retriedFrom: string;
  readonly statuses: readonly (RetryOutcome | 'cancelled')[];
  readonly name: string;
  readonly route: BatchRoute;
  readonly simulated: boolean;
  readonly now: Date;
}

/**
 * Stores a batch that will call recipients of another one again, with the settings of that, and the order to start its
 * workflow. Its recipients are copied instead of parsed from a file.
 */
export async function insertRetry(tx: Db, retry: NewRetry): Promise<void> {
  const { accountId, batchId, retriedFrom, route, now } = retry;
  await sql`
    insert into batches (id, account_id, name, number_id, from_number, rule_id, gateway_id, agent_id, status,
      timing, timezone, starts_at, window_moving, simulated, retried_from, retried_statuses, stop_at, filename, extension, file_key,
      created_at, updated_at, ${sql.join(allSettingsColumns.map((name) => sql.ref(name)))})
    select ${batchId}, b.account_id, ${retry.name}, ${route.numberId}, ${route.fromNumber}, ${route.ruleId},
      ${route.gatewayId}, ${route.agentId}, 'parsing', 'immediate', b.timezone, ${now},
      -- The zones of callees that were never looked for are found before the first call.
      b.calling_window is not null, ${retry.simulated}, b.id, ${[...retry.statuses]},
      case when b.stop_at > ${now} then b.stop_at end,
      coalesce(f.filename, b.filename), coalesce(f.extension, b.extension), coalesce(f.key, b.file_key), ${now}, ${now},
      ${sql.join(allSettingsColumns.map((name) => sql.ref(`b.${name}`)))}
    from batches b left join batch_files f on f.batch_id = b.id
    where b.id = ${retriedFrom} and b.account_id = ${accountId}`.execute(tx);
  await addToOutbox(tx, { kind: 'start', name: 'batchCall', input: { accountId, batchId } });
}

/** A batch whose recipients come from another one. */
export interface RetryToFill {
  readonly accountId: string;
  readonly batchId: string;
  readonly fromNumber: string;
  readonly ruleId: string;
  readonly gatewayId: string;
  readonly agentId: string;
  readonly simulated: boolean;
  readonly retriedFrom: string;
  readonly retriedStatuses: readonly string[];
}

export interface CopiedRecipients {
  readonly columns: readonly string[];
  readonly uploaded: number;
  readonly rejected: number;
  /** Of the batch that they come from. */
  readonly priorities: readonly number[] | null;
  /** Whether the zones of a recipient are known. */
  readonly hasZones: boolean;
}

/**
 * Copies the recipients of a batch that are to be called again, in their order, in one statement. Those that are not become
 * rejected rows; the row is that of the other batch's export, whose header is row 1.
 */
export async function copyRecipients(tx: Db, batch: RetryToFill): Promise<CopiedRecipients> {
  const { accountId, batchId, retriedFrom, retriedStatuses } = batch;
  const { rows } = await sql<CopiedRecipients>`
    with source as materialized (
      select c.position, c.to_number, c.metadata, c.time_zones, c.recipient_id, c.options, c.priority, c.agent_id, c.variant,
        c.reason, ${leftOut} as left_out
      from calls c
      where ${retriable(accountId, retriedFrom, retriedStatuses)}
    ),
    taken as (
      insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id,
        simulated, metadata, time_zones, recipient_id, options, priority, variant)
      -- Ids ascend with the place: they are made after the rows are in order.
      select uuidv7(), ${accountId}, ${batchId}, s.place, s.to_number, ${batch.fromNumber}, ${batch.ruleId},
        ${batch.gatewayId}, case when s.variant is null then ${batch.agentId} else s.agent_id end, ${batch.simulated}, s.metadata, s.time_zones,
        s.recipient_id, s.options, s.priority, s.variant
      from (
        select row_number() over (order by position)::integer - 1 as place, to_number, metadata, time_zones,
          recipient_id, options, priority, agent_id, variant
        from source where left_out is null order by position
      ) s
      returning time_zones is not null as has_zones
    ),
    rejected as (
      insert into rejected_rows (batch_id, row, account_id, value, reason, message, recipient_id)
      select ${batchId}, s.position + 2, ${accountId}, s.to_number, s.left_out,
        case when s.left_out = 'do_not_call'
          then s.to_number || ' is on your do-not-call list. Take it off the list to call it again.'
          else s.to_number || ' cannot be called again: the last call ended for good ('
            || coalesce(s.reason, 'refused') || ').' end, s.recipient_id
      from source s where s.left_out is not null
      returning 1
    )
    select coalesce((select columns from batches where id = ${retriedFrom} and account_id = ${accountId}), '{}') as columns,
      (select priorities from batches where id = ${retriedFrom} and account_id = ${accountId}) as priorities,
      (select count(*)::integer from taken) as uploaded, exists (select 1 from taken where has_zones) as "hasZones", (select count(*)::integer from rejected) as rejected`.execute(
    tx,
  );
  return rows[0] ?? { columns: [], uploaded: 0, rejected: 0, priorities: null, hasZones: false };
}

import { sql } from 'kysely';
import { groupOf } from '../../domain/fan-out.js';
import type { Db } from '../client.js';
import { wakeSleepers } from './wake-gateways.js';

/** What was committed less than this ago is under way. */
const graceSeconds = 15;
/** A call that is due and not queued for this long has been forgotten by its workflow. */
const forgottenSeconds = 30;
const mostAtOnce = 1_000;
/** Forgotten calls looked at per batch: enough to name the first groups that hold one. */
const mostForgotten = 5_000;

export interface UnfinishedBatch {
  readonly accountId: string;
  readonly batchId: string;
  /** What its workflow should have been told: that it is cancelled, that its start has come or its calling window moved. */
  readonly overdue: 'cancel' | 'reconsider' | null;
}

/** Batches that need their workflow, the oldest first: a page of those after this one. */
export async function unfinishedBatches(db: Db, afterId: string | null): Promise<UnfinishedBatch[]> {
  const { rows } = await sql<UnfinishedBatch>`
    select account_id as "accountId", id as "batchId", case
        when updated_at > clock_timestamp() - make_interval(secs => ${graceSeconds}) then null
        when status = 'cancelling' then 'cancel'
        when status = 'scheduled' and starts_at < clock_timestamp() - make_interval(secs => ${graceSeconds})
          then 'reconsider'
        when window_moving then 'reconsider' end as overdue
    from batches
    where status not in ('parse_failed', 'cancelled', 'completed')
      and created_at < clock_timestamp() - make_interval(secs => ${graceSeconds})
      and (${afterId}::text is null or id > ${afterId})
    order by id limit ${mostAtOnce}`.execute(db);
  return rows;
}

export interface UnsettledCall {
  readonly accountId: string;
  readonly callId: string;
  /** Neither in the queue nor live. */
  readonly forgotten: boolean;
}

/** Single calls that need their workflow: a page of those after this one. */
export async function unsettledSingleCalls(db: Db, afterId: string | null): Promise<UnsettledCall[]> {
  const { rows } = await sql<UnsettledCall>`
    select c.account_id as "accountId", c.id as "callId", not exists (
        select 1 from call_attempts a where a.call_id = c.id and a.phase <> 'ended') as forgotten
    from calls c
    where c.batch_id is null and not c.settled and c.type = 'outbound'
      and c.created_at < clock_timestamp() - make_interval(secs => ${graceSeconds})
      and (${afterId}::uuid is null or c.id > ${afterId}::uuid)
    order by c.id limit ${mostAtOnce}`.execute(db);
  return rows;
}

export interface ForgottenGroup {
  readonly batchId: string;
  readonly group: number;
}

/**
 * Groups of running batches that hold a call which is due and neither queued nor live: the workflow has forgotten it, or
 * has not been started yet because it is not its turn.
 */
export async function forgottenGroups(db: Db): Promise<ForgottenGroup[]> {
  const { rows } = await sql<{ batchId: string; callsPerWorkflow: number; positions: number[] }>`
    select b.id as "batchId", b.calls_per_workflow as "callsPerWorkflow", f.positions
    from batches b
    cross join lateral (
      select array_agg(c.position) as positions from (
        select c.position from calls c
        where c.batch_id = b.id and not c.settled
          and coalesce(c.next_attempt_at, b.started_at) < clock_timestamp() - make_interval(secs => ${forgottenSeconds})
          and not exists (
            -- A look-up per call that is due, instead of a join over all attempts: "offset 0" keeps it one.
            select 1 from call_attempts a where a.call_id = c.id and a.phase <> 'ended' offset 0)
        order by c.position limit ${mostForgotten}
      ) c
    ) f
    where b.status = 'running' and f.positions is not null
    limit ${mostAtOnce}`.execute(db);
  return rows.flatMap(({ batchId, callsPerWorkflow, positions }) =>
    [...new Set(positions.map((position) => groupOf(position, callsPerWorkflow)))].map((group) => ({ batchId, group })),
  );
}

/** Webhook deliveries that nobody has taken yet. */
export async function openDeliveries(db: Db): Promise<{ accountId: string; deliveryId: string }[]> {
  const { rows } = await sql<{ accountId: string; deliveryId: string }>`
    select account_id as "accountId", id as "deliveryId" from webhook_deliveries
    where status = 'pending' and created_at < clock_timestamp() - make_interval(secs => ${graceSeconds})
    order by id limit ${mostAtOnce}`.execute(db);
  return rows;
}

/** Deployments that nobody has decided yet. */
export async function openDeployments(db: Db): Promise<{ accountId: string; deploymentId: string }[]> {
  const { rows } = await sql<{ accountId: string; deploymentId: string }>`
    select account_id as "accountId", id as "deploymentId" from deployments
    where status = 'pending' and created_at < clock_timestamp() - make_interval(secs => ${graceSeconds})
    order by id limit ${mostAtOnce}`.execute(db);
  return rows;
}

/** Knowledge bases that nobody has read yet. */
export async function openIngestions(db: Db): Promise<{ accountId: string; knowledgeBaseId: string }[]> {
  const { rows } = await sql<{ accountId: string; knowledgeBaseId: string }>`
    select account_id as "accountId", id as "knowledgeBaseId" from knowledge_bases
    where status = 'processing' and created_at < clock_timestamp() - make_interval(secs => ${graceSeconds})
    order by id limit ${mostAtOnce}`.execute(db);
  return rows;
}

/** Wakes gateways that sleep although something of theirs has been due for a while. @returns how many */
export const wakeForgottenGateways = (db: Db): Promise<number> => wakeSleepers(db, graceSeconds);

/** Deleted batches whose calls nobody has removed yet. */
export async function openDeletions(db: Db): Promise<{ accountId: string; batchId: string }[]> {
  const { rows } = await sql<{ accountId: string; batchId: string }>`
    select account_id as "accountId", batch_id as "batchId" from batch_deletions
    where asked_at < clock_timestamp() - make_interval(secs => ${graceSeconds})
    order by batch_id limit ${mostAtOnce}`.execute(db);
  return rows;
}

import { sql } from 'kysely';
import type { Db } from '../../client.js';
import { deliveryDelaysSeconds } from '../../../domain/webhooks/retry.js';
import type { SignalName } from '../../../domain/workflow/contract.js';
import { wakeSleepers } from '../dialer/wake-gateways.js';

/** Changes that were committed less than this ago may still be under way. */
const graceSeconds = 15;
const mostAtOnce = 1_000;
/** A try of a webhook takes at most this long, its time limit and retries of the worker included. */
const triedWithinSeconds = 120;

/** Signals to the workflow of a batch. */
type Overdue = Extract<SignalName, 'cancel' | 'reconsider'>;
const cancel: Overdue = 'cancel';
const reconsider: Overdue = 'reconsider';

export interface UnfinishedBatch {
  readonly accountId: string;
  readonly batchId: string;
  readonly isRunning: boolean;
  /** The signal that its workflow may have missed: it is cancelled, its start has come, it is to stop, its calling window moved, or nothing of it is left. */
  readonly overdue: Overdue | null;
}

/** Batches that need their workflow, the oldest first: a page of those after this one. */
export async function unfinishedBatches(db: Db, afterId: string | null): Promise<UnfinishedBatch[]> {
  const { rows } = await sql<UnfinishedBatch>`
    select account_id as "accountId", id as "batchId", status = 'running' as "isRunning", case
        when updated_at > clock_timestamp() - make_interval(secs => ${graceSeconds}) then null
        when status = 'cancelling' then ${cancel}
        when status = 'scheduled' and starts_at < clock_timestamp() - make_interval(secs => ${graceSeconds})
          then ${reconsider}
        when reached_stop(batches, clock_timestamp()) is not null then ${reconsider}
        when window_moving or guardrails_moving is not null then ${reconsider}
        -- Nothing of it is open, and its workflow, or that of its last calls, has not heard of it.
        when status = 'running' and not open and not exists (
          select 1 from calls c where c.batch_id = batches.id and not c.settled) then ${reconsider} end as overdue
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

/**
 * Webhook deliveries without a running workflow: a page of those after this one. One that is being tried has a next try ahead of
 * it; so many that an endpoint refuses for a day are not asked about again and again.
 */
export async function openDeliveries(
  db: Db,
  afterId: string | null,
): Promise<{ accountId: string; deliveryId: string }[]> {
  const { rows } = await sql<{ accountId: string; deliveryId: string }>`
    select d.account_id as "accountId", d.id as "deliveryId"
    from webhook_deliveries d
    cross join lateral (
      select count(*)::integer as tries, max(a.at) as latest from delivery_attempts a
      where a.delivery_id = d.id and (d.asked_at is null or a.at >= d.asked_at)
    ) t
    where d.status = 'pending' and (${afterId}::text is null or d.id > ${afterId})
      and case when t.tries = 0
        then coalesce(d.asked_at, d.created_at) + make_interval(secs => ${graceSeconds})
        else t.latest + make_interval(secs => ${triedWithinSeconds}
          + (${[...deliveryDelaysSeconds]}::integer[])[least(t.tries, ${deliveryDelaysSeconds.length})])
        end < clock_timestamp()
    order by d.id limit ${mostAtOnce}`.execute(db);
  return rows;
}

/** Deployments that are not decided yet: a page of those after this one. */
export async function openDeployments(
  db: Db,
  afterId: string | null,
): Promise<{ accountId: string; deploymentId: string }[]> {
  const { rows } = await sql<{ accountId: string; deploymentId: string }>`
    select account_id as "accountId", id as "deploymentId" from deployments
    where status = 'pending' and created_at < clock_timestamp() - make_interval(secs => ${graceSeconds})
      and (${afterId}::text is null or id > ${afterId})
    order by id limit ${mostAtOnce}`.execute(db);
  return rows;
}

/** Knowledge bases that have not been read yet: a page of those after this one. */
export async function openIngestions(
  db: Db,
  afterId: string | null,
): Promise<{ accountId: string; knowledgeBaseId: string }[]> {
  const { rows } = await sql<{ accountId: string; knowledgeBaseId: string }>`
    select account_id as "accountId", id as "knowledgeBaseId" from knowledge_bases
    where status = 'processing' and created_at < clock_timestamp() - make_interval(secs => ${graceSeconds})
      and (${afterId}::text is null or id > ${afterId})
    order by id limit ${mostAtOnce}`.execute(db);
  return rows;
}

/** Wakes gateways that sleep although something of theirs has been due for a while. @returns how many */
export const wakeForgottenGateways = (db: Db): Promise<number> => wakeSleepers(db, graceSeconds);

/** Deleted batches whose calls have not been removed yet: a page of those after this one. */
export async function openDeletions(db: Db, afterId: string | null): Promise<{ accountId: string; batchId: string }[]> {
  const { rows } = await sql<{ accountId: string; batchId: string }>`
    select account_id as "accountId", batch_id as "batchId" from batch_deletions
    where asked_at < clock_timestamp() - make_interval(secs => ${graceSeconds})
      and (${afterId}::text is null or batch_id > ${afterId})
    order by batch_id limit ${mostAtOnce}`.execute(db);
  return rows;
}

import { sql } from 'kysely';
import type { Db } from '../../client.js';
import { mostCounted } from '../counted.js';

/** What the service still has to do, over all accounts. Ages are in seconds, 0 if nothing waits. */
export interface Backlog {
  /** Batches that are not over, by status; `paused` of running ones that are paused, for whatever reason is stored. */
  readonly batches: readonly { readonly status: string; readonly paused: boolean; readonly count: number }[];
  readonly gatewaysSuspended: number;
  /**
   * Since when the longest waiting attempt could be dialed: of single calls, and of batches that run unpaused with an active agent and a
   * number that may call; not of accounts whose dialing is stopped, by themselves or by the operator.
   */
  readonly oldestDueSeconds: number;
  /** Since when the end of an attempt waits to be told to its workflow. */
  readonly oldestUnreportedSeconds: number;
  /** Since when something waits to be handed to Temporal. */
  readonly oldestOutboxSeconds: number;
  /** Deliveries that have not arrived and are still tried, counted up to `mostCounted`. */
  readonly deliveriesPending: number;
  /** Since when the oldest of them is tried: since it was made, or asked for again. */
  readonly oldestDeliverySeconds: number;
  /** Transcripts whose words no search finds yet, counted up to `mostCounted`. */
  readonly transcriptsUnread: number;
}

const ageOf = (at: string) => sql`coalesce(extract(epoch from clock_timestamp() - ${sql.raw(at)}), 0)::float8`;

/** What waits at this moment. Only what is unfinished is read: history costs nothing. */
export async function backlogOf(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    with unfinished as materialized (
      select id, gateway_id, agent_id, variants, coalesce(phone_numbers, array[from_number]) as numbers, status, paused from batches where status not in ('parse_failed', 'cancelled', 'completed')
    )
    select
      (select coalesce(json_agg(json_build_object('status', s.status, 'paused', s.paused, 'count', s.count)), '[]') from (
        select status, paused, count(*) as count from unfinished group by status, paused) s) as batches,
      (select count(*)::integer from gateway_admission where suspended_since is not null) as "gatewaysSuspended",
      (select ${ageOf('min(d.due_at)')} from (
          select u.id as lane, u.gateway_id, u.numbers from unfinished u join agents g on g.id = u.agent_id and g.status = 'active'
          where u.status = 'running' and not u.paused and are_variants_active(u.variants)
          union all
          select '', id, null from gateways where direction = 'outbound'
        ) l
        join gateway_admission w on w.gateway_id = l.gateway_id and w.suspended_since is null
        join accounts t on t.id = w.account_id and dialing_held_since(t) is null
        cross join lateral (
          select a.due_at from call_attempts a
          where a.gateway_id = l.gateway_id and a.lane = l.lane and a.phase = 'queued'
            and a.due_at <= statement_timestamp()
          order by a.due_at limit 1
        ) d
        where not w.counts_numbers or l.numbers is null or exists (
          select 1 from unnest(l.numbers) as z (e164)
          left join counted_numbers n on n.account_id = w.account_id and n.e164 = z.e164
          where n.e164 is null or number_free_at(n, statement_timestamp()) <= statement_timestamp())) as "oldestDueSeconds",
      (select ${ageOf('min(ended_at)')} from call_attempts where phase = 'ended' and reported_at is null)
        as "oldestUnreportedSeconds",
      (select ${ageOf('min(created_at)')} from outbox) as "oldestOutboxSeconds",
      (select count(*)::integer from (select from unread_transcripts limit ${mostCounted}) u) as "transcriptsUnread",
      p.count as "deliveriesPending", p.seconds as "oldestDeliverySeconds"
    from (
      select count(*)::integer as count, ${ageOf('min(asked_at)')} as seconds from (
        select coalesce(asked_at, created_at) as asked_at from webhook_deliveries where status = 'pending' order by id limit ${mostCounted}) w
    ) p`.execute(db);
  const [backlog] = rows;
  if (backlog === undefined) throw new Error('The backlog gave no answer.');
  return backlog;
}

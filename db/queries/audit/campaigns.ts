import { sql } from 'kysely';
import { firstAddedPosition } from '../../../domain/batch/fan-out.js';
import type { Db } from '../../client.js';
import type { AuditScope, Violation } from './invariants.js';
import { ofAccount, violationsOf } from './snapshot.js';

/** A request to add recipients that waits for a run says when it began, not when it was committed. */
const postedSeconds = 300;
/** Runs that a worker took with it are carried out again within two minutes. */
const lateSeconds = 600;

const utc = (instant: string) => sql`to_char(${sql.raw(instant)} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')`;

/** Judges campaigns by their runs and by who waits. There are few campaigns; the rest is found by their keys. */
export const auditCampaigns = (db: Db, scope: AuditScope): Promise<Violation[]> =>
  violationsOf(
    db,
    sql<Violation>`
      with own as materialized (
        select c.* from campaigns c where ${ofAccount(scope, 'c')}
      ),
      runs as materialized (
        select r.* from own c join campaign_runs r on r.campaign_id = c.id
        where ${scope.since === null ? sql`true` : sql`r.created_at >= ${scope.since}`}
      )
      select 'campaigns' as invariant, (array_agg(r.campaign_id))[1] as id, count(*) || ' runs have the batch call ' || r.batch_id as details
      from runs r where r.batch_id is not null group by r.batch_id having count(*) > 1
      union all
      select 'campaigns', r.campaign_id, 'the run of ' || ${utc('r.due_at')} || ' took ' || r.recipients || ' recipients, and '
        || r.batch_id || ' knows of ' || k.known
      from runs r join batches b on b.id = r.batch_id and b.account_id = r.account_id
      cross join lateral (
        select b.records_rejected + count(*) as known from calls c
        where c.batch_id = b.id and c.position < ${sql.lit(firstAddedPosition)}) k
      where r.outcome = 'made' and b.calls_per_workflow is not null and b.purged_at is null and k.known < r.recipients
      union all
      select 'campaigns', c.id, w.people || ' recipients wait since before the run of ' || ${utc('l.due_at')} || ', which took everyone'
      from own c
      join lateral (
        select r.due_at, r.created_at from runs r where r.campaign_id = c.id and r.outcome = 'made'
        order by r.created_at desc limit 1) l on true
      join lateral (
        select count(*) as people from campaign_recipients w
        where w.campaign_id = c.id and w.created_at < l.created_at - make_interval(secs => ${postedSeconds})) w on w.people > 0
      union all
      select 'campaigns', r.campaign_id, 'a run was asked for at ' || ${utc('r.due_at')} || ', and none was made'
      from runs r
      where r.outcome = 'asked' and r.created_at < clock_timestamp() - make_interval(secs => ${lateSeconds})
      union all
      select 'campaigns', c.id, 'was to run at ' || ${utc('c.next_run_at')} || ', and did not'
      from own c
      where not c.paused and c.next_run_at < clock_timestamp() - make_interval(secs => ${lateSeconds})`,
  );

-- Who answered the calls of a batch that are `answered`: part of that counter. Until 0054 has counted what was there before, they
-- may be too low, so that nothing checks that they are not below nothing.
alter table batch_counters
  add column human integer not null default 0,
  add column machine integer not null default 0;

-- As in 0041-batch-waits.sql, with who answered.
create or replace function count_changed_calls() returns trigger language plpgsql as $$
declare
  waits boolean;
  change record;
  remaining integer;
begin
  -- Locked in one order, so that two statements over the same batches cannot deadlock.
  perform 1 from batch_counters
    where batch_id in (select batch_id from new_calls where batch_id is not null)
    order by batch_id for update;
  with counted as (
    update batch_counters c set
      pending = c.pending + d.pending, dialing = c.dialing + d.dialing, in_progress = c.in_progress + d.in_progress,
      retrying = c.retrying + d.retrying, answered = c.answered + d.answered, failed = c.failed + d.failed,
      not_answered = c.not_answered + d.not_answered, rejected = c.rejected + d.rejected, missed = c.missed + d.missed,
      abandoned = c.abandoned + d.abandoned, cancelled = c.cancelled + d.cancelled, attempts = c.attempts + d.attempts,
      human = c.human + d.human, machine = c.machine + d.machine,
      talk_seconds = c.talk_seconds + d.talk_seconds
    from (
      select batch_id,
        coalesce(sum(sign) filter (where status = 'pending'), 0) as pending,
        coalesce(sum(sign) filter (where status = 'dialing'), 0) as dialing,
        coalesce(sum(sign) filter (where status = 'in-progress'), 0) as in_progress,
        coalesce(sum(sign) filter (where status = 'retrying'), 0) as retrying,
        coalesce(sum(sign) filter (where status = 'answered'), 0) as answered,
        coalesce(sum(sign) filter (where status = 'failed'), 0) as failed,
        coalesce(sum(sign) filter (where status = 'not-answered'), 0) as not_answered,
        coalesce(sum(sign) filter (where status = 'rejected'), 0) as rejected,
        coalesce(sum(sign) filter (where status = 'missed'), 0) as missed,
        coalesce(sum(sign) filter (where status = 'abandoned'), 0) as abandoned,
        coalesce(sum(sign) filter (where status = 'cancelled'), 0) as cancelled,
        coalesce(sum(sign) filter (where status = 'answered' and answered_by = 'human'), 0) as human,
        coalesce(sum(sign) filter (where status = 'answered' and answered_by = 'machine'), 0) as machine,
        sum(sign * attempts_made) as attempts,
        sum(sign * coalesce(talk_seconds, 0)) as talk_seconds,
        bool_or(status in ('pending', 'retrying')
          and (time_zones is not null or next_attempt_at is not null or held_until is not null)) as waits
      from (
        select batch_id, status, answered_by, attempts_made, talk_seconds, time_zones, next_attempt_at, held_until, 1 as sign
        from new_calls
        union all
        select batch_id, status, answered_by, attempts_made, talk_seconds, time_zones, next_attempt_at, held_until, -1 from old_calls
      ) changed
      where batch_id is not null
      group by batch_id
    ) d
    where c.batch_id = d.batch_id
    returning d.waits
  )
  select bool_or(counted.waits) into waits from counted;
  if waits is not true then return null; end if;

  for change in
    select k.batch_id, w.zones, w.hold, w.due, min(w.instant) filter (where k.sign = 1) as earliest,
      sum(k.sign)::integer as calls
    from (
      select batch_id, status, time_zones, next_attempt_at, not_before, held_until, held_by, 1 as sign from new_calls
      union all
      select batch_id, status, time_zones, next_attempt_at, not_before, held_until, held_by, -1 from old_calls
    ) k
    cross join lateral wait_of(k.time_zones, k.next_attempt_at, k.not_before, k.held_until, k.held_by) w
    where k.batch_id is not null and k.status in ('pending', 'retrying') and (w.zones <> '' or w.hold <> '')
    group by k.batch_id, w.zones, w.hold, w.due having sum(k.sign) <> 0
  loop
    insert into batch_waits as w (batch_id, zones, hold, due, earliest, calls)
    values (change.batch_id, change.zones, change.hold, change.due, change.earliest, change.calls)
    on conflict (batch_id, zones, hold, due) do update set calls = w.calls + excluded.calls,
      earliest = case when excluded.calls > 0 then least(w.earliest, excluded.earliest) else w.earliest end
    returning w.calls into remaining;
    if remaining <= 0 then
      delete from batch_waits w
      where w.batch_id = change.batch_id and w.zones = change.zones and w.hold = change.hold and w.due = change.due;
    end if;
  end loop;
  return null;
end $$;

-- Batches that were made before there were these counters, each in a transaction of its own. Whoever changes a call meanwhile
-- waits for the counters of its batch, and adds to what was counted here.
create procedure fill_who_answered() language plpgsql as $$
declare
  batch text;
begin
  for batch in select batch_id from batch_counters where answered > 0 loop
    perform 1 from batch_counters where batch_id = batch for update;
    update batch_counters k set human = n.human, machine = n.machine
    from (
      select count(*) filter (where c.answered_by = 'human') as human,
        count(*) filter (where c.answered_by = 'machine') as machine
      from calls c where c.batch_id = batch and c.status = 'answered') n
    where k.batch_id = batch;
    commit;
  end loop;
end $$;

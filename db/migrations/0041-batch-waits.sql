-- Until when calls wait, kept as counters, so that the answer to "why does it wait" costs the same for any size of a batch.

-- Until when the account's guardrails hold a call that has not been dialed, and which of them; looked at while the instant
-- lies ahead.
alter table calls
  add column held_until timestamptz,
  add column held_by text check (held_by in ('guardrail_hours', 'daily_limit'));

-- Calls of a batch that are pending or retrying, by the zones in which they may be called and by what they wait for. A call of
-- which neither is known is in no row: it counts among the others of `batch_counters`. Rows without calls are deleted.
create table batch_waits (
  batch_id text not null references batches on delete cascade,
  -- calls.time_zones, separated by commas
  zones text collate "C" not null,
  -- '', not_before, retry_delay, guardrail_hours or daily_limit: what holds the call longest
  hold text collate "C" not null,
  -- The instant of `hold` within 30 seconds; -infinity without a hold. Finer, and a batch of 370,000 has more rows than can be
  -- read in a few milliseconds.
  due timestamptz not null,
  -- The first instant of these calls; may be that of a call which is no longer among them
  earliest timestamptz,
  calls integer not null,
  primary key (batch_id, zones, hold, due)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- What one call waits for. `instant` is the exact one of `due`.
create function wait_of(
  p_zones text[], p_next_attempt_at timestamptz, p_not_before timestamptz, p_held_until timestamptz, p_held_by text)
returns table (zones text, hold text, due timestamptz, instant timestamptz) language sql stable as $$
  select coalesce(array_to_string(p_zones, ','), ''),
    case when p_held_until >= coalesce(p_next_attempt_at, p_held_until) then p_held_by
      when p_next_attempt_at <= p_not_before then 'not_before'
      when p_next_attempt_at is not null then 'retry_delay' else '' end,
    coalesce(date_bin('30 seconds', greatest(p_next_attempt_at, p_held_until), 'epoch'), '-infinity'),
    greatest(p_next_attempt_at, p_held_until)
$$;

-- Who answered the calls of a batch that are `answered`: part of that counter. They may be too low until
-- 0054-who-answered-is-filled.sql has counted the calls from before, and so no check keeps them from being negative.
alter table batch_counters
  add column human integer not null default 0,
  add column machine integer not null default 0;

-- As in 0001-initial.sql, with who answered and with `batch_waits`. Rows of `batch_waits` are found while the counters of their
-- batch are locked, so that no two statements change one at once.
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

-- Counts calls of a batch that were stored by COPY or INSERT, which the trigger does not see: those of these places in the file.
create function add_batch_waits(p_batch text, p_first integer default 0, p_last integer default null) returns void
language sql as $$
  insert into batch_waits as w (batch_id, zones, hold, due, earliest, calls)
  select p_batch, k.zones, k.hold, k.due, min(k.instant), count(*)::integer
  from calls c
  cross join lateral wait_of(c.time_zones, c.next_attempt_at, c.not_before, c.held_until, c.held_by) k
  where c.batch_id = p_batch and c.position >= p_first and c.position <= coalesce(p_last, 2147483647)
    and c.status in ('pending', 'retrying') and (k.zones <> '' or k.hold <> '')
  group by k.zones, k.hold, k.due
  on conflict (batch_id, zones, hold, due) do update set calls = w.calls + excluded.calls,
    earliest = least(w.earliest, excluded.earliest)
$$;

-- Batches that were made before there were these counters, each in a transaction of its own. Whoever changes a call meanwhile
-- waits for the counters of its batch, and adds to what was counted here.
create procedure fill_batch_waits() language plpgsql as $$
declare
  batch text;
begin
  for batch in select id from batches where status not in ('parse_failed', 'cancelled', 'completed') loop
    perform 1 from batch_counters where batch_id = batch for update;
    continue when not found;
    delete from batch_waits where batch_id = batch;
    perform add_batch_waits(batch);
    commit;
  end loop;
end $$;

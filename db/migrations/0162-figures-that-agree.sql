-- Figures that are shown beside each other say the same.

-- As in 0147-prices.sql, but a call that was over without having been dialed is taken back, too, when it is made after all; and who
-- answered an attempt, if that is said late, counts for the number that it was made from, which may not be that of the next one.
create or replace function note_figures() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from new_calls n where n.type = 'outbound' and (n.settled or n.attempts_made > 0))
    and not exists (select 1 from old_calls o where o.type = 'outbound' and o.settled) then
    return null;
  end if;
  insert into figure_changes (account_id, batch_id, day, hour, attempt, status, reason, sip_status_code, answered_by, phone_number,
    calls, attempts, answered, human, machine, success, talk_ms, dialed_minute, answered_minute, ended_minute, variant, cost, unpriced)
  with changed as materialized (
    select n.*, o.settled as was_settled, o.attempts_made as had_made, o.status as was, o.reason as was_because,
      o.sip_status_code as had_code, o.answered_by as was_answered_by, o.ended_at as had_ended_at, a.number, a.outcome, a.reason as attempt_reason,
      a.sip_status_code as attempt_code, a.answered_at as attempt_answered_at, a.ended_at as attempt_ended_at,
      a.dialed_at as attempt_dialed_at, coalesce(a.caller, n.from_number) as made_from, coalesce(a.success, false)::integer as attempt_success,
      coalesce(a.cost, 0) as attempt_cost, coalesce(a.unpriced, false)::integer as attempt_unpriced,
      case when a.call_id is not null
        then coalesce(a.callee_hour, hour_in_zone(a.dialed_at, (select b.timezone from batches b where b.id = n.batch_id))) end
        as hour
    from new_calls n
    join old_calls o on o.id = n.id
    left join call_attempts a on a.call_id = n.id and a.number = n.attempts_made
    where n.type = 'outbound' and (n.attempts_made > o.attempts_made or n.settled is distinct from o.settled
      or n.settled and (n.status, n.reason, n.sip_status_code, n.answered_by)
        is distinct from (o.status, o.reason, o.sip_status_code, o.answered_by)
      or n.status = 'retrying' and o.status = 'retrying' and n.answered_by is distinct from o.answered_by)
  ),
  parts as (
    -- An attempt that is over
    select c.id, c.account_id, c.batch_id, c.hour, c.number as attempt, c.outcome as status, c.attempt_reason as reason,
      c.attempt_code as code, case when c.outcome = 'answered' then coalesce(c.answered_by, 'unknown') end as answered_by,
      c.made_from as from_number, 0 as calls, 1 as attempts, c.attempt_answered_at, c.attempt_ended_at, c.ended_at, c.attempt_dialed_at,
      0 as success, c.variant, c.attempt_cost as cost, c.attempt_unpriced as unpriced
    from changed c where c.attempts_made > c.had_made
    union all
    -- Who answered it, if that is said only now; a call that is made again forgets who answered the attempt before
    select c.id, c.account_id, c.batch_id, c.hour, c.number, c.outcome, c.attempt_reason, c.attempt_code,
      coalesce(s.answered_by, 'unknown'), c.made_from, 0, s.sign, c.attempt_answered_at, c.attempt_ended_at, c.ended_at, null,
      s.sign * c.attempt_success, c.variant, s.sign * c.attempt_cost, s.sign * c.attempt_unpriced
    from changed c cross join lateral (values (1, c.answered_by), (-1, c.was_answered_by)) s (sign, answered_by)
    where c.attempts_made = c.had_made and (c.settled or c.status = 'retrying' and c.was = 'retrying')
      and c.answered_by is not null and c.outcome = 'answered' and c.answered_by is distinct from c.was_answered_by
    union all
    -- A call that is over, and one that no longer is, or otherwise
    select c.id, c.account_id, c.batch_id, c.hour, nullif(c.attempts_made, 0::smallint), c.status, c.reason, c.sip_status_code,
      case when c.status = 'answered' then coalesce(c.answered_by, 'unknown') end, c.from_number, 1, 0,
      null, null, c.ended_at, null, 0, c.variant, 0, 0
    from changed c where c.settled
    union all
    select c.id, c.account_id, c.batch_id, h.hour, nullif(c.had_made, 0::smallint), c.was, c.was_because, c.had_code,
      case when c.was = 'answered' then coalesce(c.was_answered_by, 'unknown') end, c.from_number, -1, 0,
      null, null, c.had_ended_at, null, 0, c.variant, 0, 0
    from changed c
    cross join lateral (
      select case when c.had_made = c.attempts_made then c.hour else (
        select coalesce(a.callee_hour, hour_in_zone(a.dialed_at, (select b.timezone from batches b where b.id = c.batch_id)))
        from call_attempts a where a.call_id = c.id and a.number = c.had_made) end as hour) h
    where c.was_settled
  )
  select p.account_id, coalesce(p.batch_id, ''), p.day, p.hour, p.attempt, p.status, p.reason, p.code, p.answered_by,
    p.from_number, sum(p.calls), sum(p.attempts), sum(p.attempts * p.answered),
    sum(p.attempts * p.answered * (p.answered_by is not distinct from 'human')::integer),
    sum(p.attempts * p.answered * (p.answered_by is not distinct from 'machine')::integer),
    sum(p.success), sum(p.attempts * p.answered * p.talk_ms), p.dialed_minute, p.answered_minute, p.ended_minute, p.variant,
    sum(p.cost), sum(p.unpriced)
  from (
    select parts.*, coalesce(parts.hour::date, (coalesce(parts.ended_at, clock_timestamp()) at time zone 'UTC')::date) as day,
      coalesce(parts.status = 'answered', false)::integer as answered,
      coalesce(round(extract(epoch from parts.attempt_ended_at - parts.attempt_answered_at) * 1000), 0)::bigint as talk_ms,
      m.*
    from parts cross join lateral minutes_of(parts.attempt_dialed_at, parts.attempt_answered_at, parts.attempt_ended_at, parts.status) m
  ) p
  group by p.account_id, p.batch_id, p.day, p.hour, p.attempt, p.status, p.reason, p.code, p.answered_by, p.from_number,
    p.dialed_minute, p.answered_minute, p.ended_minute, p.variant
  having sum(p.calls) <> 0 or sum(p.attempts) <> 0;
  return null;
end $$;

-- As in 0138-variants.sql, but of the number that the attempt was made from.
create or replace function note_success() returns trigger language plpgsql as $$
begin
  insert into figure_changes (account_id, batch_id, day, hour, attempt, status, reason, sip_status_code, answered_by, phone_number,
    calls, attempts, answered, human, machine, success, talk_ms, variant)
  select c.account_id, coalesce(c.batch_id, ''), h.hour::date, h.hour, new.number, new.outcome, new.reason, new.sip_status_code,
    coalesce(new.answered_by, 'unknown'), coalesce(new.caller, c.from_number), 0, 0, 0, 0, 0, 1, 0, c.variant
  from calls c
  cross join lateral (
    select coalesce(new.callee_hour, hour_in_zone(new.dialed_at, (select b.timezone from batches b where b.id = c.batch_id)))
      as hour) h
  where c.id = new.call_id and c.type = 'outbound';
  return null;
end $$;
create or replace function counted_successes_of_variants(p_account text, p_batch text)
returns table (
  day date, hour timestamp, attempt smallint, status text, reason text, sip_status_code integer, answered_by text,
  phone_number text, success integer, variant text)
language sql stable as $$
  select h.hour::date, h.hour, a.number, a.outcome, a.reason, a.sip_status_code, coalesce(a.answered_by, 'unknown'), coalesce(a.caller, c.from_number), 1, c.variant
  from calls c
  join call_attempts a on a.call_id = c.id and a.success
  cross join lateral (
    select coalesce(a.callee_hour, hour_in_zone(a.dialed_at, (select b.timezone from batches b where b.id = c.batch_id)))
      as hour) h
  where c.account_id = p_account and c.type = 'outbound' and (c.batch_id = p_batch or (p_batch = '' and c.batch_id is null))
$$;

-- As in 0041-batch-waits.sql, but only answered calls count as talk: a call that no agent took has none.
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
        coalesce(sum(sign * coalesce(talk_seconds, 0)) filter (where status = 'answered'), 0) as talk_seconds,
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

-- As in 0002-keys.sql, but people who called have not been called, nor do their calls reach a carrier; and only calls that are answered
-- have talked, as in the figures.
create or replace function count_usage() returns trigger language plpgsql as $$
begin
  insert into usage_days as u (account_id, day, backend, calls, attempts, answered, talk_seconds)
  select account_id, (clock_timestamp() at time zone 'UTC')::date, pg_backend_pid(),
    sum(sign * (made > 0)::integer), sum(sign * made), sum(sign * answered), sum(sign * talked)
  from (
    select n.account_id, 1 as sign, m.* from new_calls n cross join lateral (values (
      case when n.type = 'outbound' then n.attempts_made else 0 end, (n.status = 'answered')::integer,
      case when n.status = 'answered' then coalesce(n.talk_seconds, 0) else 0 end)) m (made, answered, talked)
    where n.attempts_made > 0 or n.status = 'answered'
    union all
    select o.account_id, -1, m.* from old_calls o cross join lateral (values (
      case when o.type = 'outbound' then o.attempts_made else 0 end, (o.status = 'answered')::integer,
      case when o.status = 'answered' then coalesce(o.talk_seconds, 0) else 0 end)) m (made, answered, talked)
    where o.attempts_made > 0 or o.status = 'answered'
  ) changed
  group by account_id
  having sum(sign * made) <> 0 or sum(sign * answered) <> 0 or sum(sign * talked) <> 0
  on conflict (account_id, day, backend) do update set
    calls = u.calls + excluded.calls, attempts = u.attempts + excluded.attempts,
    answered = u.answered + excluded.answered, talk_seconds = u.talk_seconds + excluded.talk_seconds;
  return null;
end $$;

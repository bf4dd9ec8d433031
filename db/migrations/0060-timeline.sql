-- When attempts were dialed, were answered and ended, minute by minute: as sums, so that a timeline costs the same for any batch and any
-- years of history. They are noted and added up with the figures (0056). How many calls were live at an instant is how many were
-- dialed before it less how many had ended. An attempt is noted when it is over; those that are live are few, and are read.

-- Minutes in which an attempt was dialed, was answered and ended; null: nothing is to be counted
alter table figure_changes add column dialed_minute timestamptz, add column answered_minute timestamptz,
  add column ended_minute timestamptz;

create table timeline (
  account_id text not null,
  -- '': single calls of the account; '*': all of its calls, also of batches that were deleted since
  batch_id text not null,
  -- Seconds: minutes, hours and days (UTC) are each kept, so that a long time is read in few rows
  step integer not null,
  -- When the step begins
  at timestamptz not null,
  dialed bigint not null,
  answered bigint not null,
  ended bigint not null,
  primary key (account_id, batch_id, step, at)
) with (fillfactor = 70);

create function start_of_step(p_at timestamptz, p_step integer) returns timestamptz language sql immutable as $$
  select date_bin(make_interval(secs => p_step), p_at, timestamptz '1970-01-01 00:00:00+00')
$$;

-- An attempt counts when it was dialed. One that was answered, but not seen when, was by its end.
create function minutes_of(p_dialed_at timestamptz, p_answered_at timestamptz, p_ended_at timestamptz, p_outcome text)
returns table (dialed_minute timestamptz, answered_minute timestamptz, ended_minute timestamptz) language sql immutable as $$
  select start_of_step(p_dialed_at, 60), case when p_dialed_at is not null then
      start_of_step(coalesce(p_answered_at, case when p_outcome = 'answered' then p_ended_at end), 60) end,
    case when p_dialed_at is not null then start_of_step(p_ended_at, 60) end
$$;

-- What so many attempts with these minutes add to each of them.
create function minutes_passed(p_dialed timestamptz, p_answered timestamptz, p_ended timestamptz, p_attempts bigint)
returns table (at timestamptz, dialed bigint, answered bigint, ended bigint) language sql immutable as $$
  select z.* from (values (p_dialed, p_attempts, 0::bigint, 0::bigint), (p_answered, 0::bigint, p_attempts, 0::bigint),
    (p_ended, 0::bigint, 0::bigint, p_attempts)) z (at, dialed, answered, ended)
  where z.at is not null and p_attempts <> 0
$$;

-- What the attempts themselves say, minute by minute. p_batch '': single calls of the account.
create function counted_timeline(p_account text, p_batch text)
returns table (at timestamptz, dialed bigint, answered bigint, ended bigint) language sql stable as $$
  select m.at, sum(m.dialed)::bigint, sum(m.answered)::bigint, sum(m.ended)::bigint
  from (
    select t.dialed_minute, t.answered_minute, t.ended_minute, count(*) as attempts
    from calls c
    join call_attempts a on a.call_id = c.id and a.number <= c.attempts_made and a.phase = 'ended'
    cross join lateral minutes_of(a.dialed_at, a.answered_at, a.ended_at, a.outcome) t
    where c.account_id = p_account and c.type = 'outbound'
      and (c.batch_id = p_batch or (p_batch = '' and c.batch_id is null)) and c.attempts_made > 0
    group by 1, 2, 3
  ) g
  cross join lateral minutes_passed(g.dialed_minute, g.answered_minute, g.ended_minute, g.attempts) m
  group by m.at
$$;

-- As before, with the minutes of each attempt that is over.
create or replace function note_figures() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from new_calls n where n.type = 'outbound' and (n.settled or n.attempts_made > 0)) then
    return null;
  end if;
  insert into figure_changes (account_id, batch_id, day, hour, attempt, status, reason, sip_status_code, answered_by, phone_number,
    calls, attempts, answered, human, machine, talk_ms, dialed_minute, answered_minute, ended_minute)
  with changed as materialized (
    select n.*, o.settled as was_settled, o.attempts_made as had_made, o.status as was, o.reason as was_because,
      o.sip_status_code as had_code, o.answered_by as was_answered_by, o.ended_at as had_ended_at, a.number, a.outcome, a.reason as attempt_reason,
      a.sip_status_code as attempt_code, a.answered_at as attempt_answered_at, a.ended_at as attempt_ended_at,
      a.dialed_at as attempt_dialed_at,
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
      c.from_number, 0 as calls, 1 as attempts, c.attempt_answered_at, c.attempt_ended_at, c.ended_at, c.attempt_dialed_at
    from changed c where c.attempts_made > c.had_made
    union all
    -- Who answered it, if that is said only now; a call that is made again forgets who answered the attempt before
    select c.id, c.account_id, c.batch_id, c.hour, c.number, c.outcome, c.attempt_reason, c.attempt_code,
      coalesce(s.answered_by, 'unknown'), c.from_number, 0, s.sign, c.attempt_answered_at, c.attempt_ended_at, c.ended_at, null
    from changed c cross join lateral (values (1, c.answered_by), (-1, c.was_answered_by)) s (sign, answered_by)
    where c.attempts_made = c.had_made and (c.settled or c.status = 'retrying' and c.was = 'retrying')
      and c.answered_by is not null and c.outcome = 'answered' and c.answered_by is distinct from c.was_answered_by
    union all
    -- A call that is over, and one that no longer is, or otherwise
    select c.id, c.account_id, c.batch_id, c.hour, nullif(c.attempts_made, 0::smallint), c.status, c.reason, c.sip_status_code,
      case when c.status = 'answered' then coalesce(c.answered_by, 'unknown') end, c.from_number, 1, 0,
      null, null, c.ended_at, null
    from changed c where c.settled
    union all
    select c.id, c.account_id, c.batch_id, h.hour, nullif(c.had_made, 0::smallint), c.was, c.was_because, c.had_code,
      case when c.was = 'answered' then coalesce(c.was_answered_by, 'unknown') end, c.from_number, -1, 0,
      null, null, c.had_ended_at, null
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
    sum(p.attempts * p.answered * p.talk_ms), p.dialed_minute, p.answered_minute, p.ended_minute
  from (
    select parts.*, coalesce(parts.hour::date, (coalesce(parts.ended_at, clock_timestamp()) at time zone 'UTC')::date) as day,
      coalesce(parts.status = 'answered', false)::integer as answered,
      coalesce(round(extract(epoch from parts.attempt_ended_at - parts.attempt_answered_at) * 1000), 0)::bigint as talk_ms,
      m.*
    from parts cross join lateral minutes_of(parts.attempt_dialed_at, parts.attempt_answered_at, parts.attempt_ended_at, parts.status) m
  ) p
  group by p.account_id, p.batch_id, p.day, p.hour, p.attempt, p.status, p.reason, p.code, p.answered_by, p.from_number,
    p.dialed_minute, p.answered_minute, p.ended_minute
  having sum(p.calls) <> 0 or sum(p.attempts) <> 0;
  return null;
end $$;
-- Locks the calls: whoever changed them before is done, and whoever changes them from now on notes the minutes.
create or replace trigger figures_are_noted after update on calls
  referencing old table as old_calls new table as new_calls
  for each statement execute function note_figures();

-- As before, with the minutes.
create or replace function fold_figures(p_most integer, p_account text default null, p_batch text default null) returns integer
language plpgsql as $$
declare
  ids bigint[];
  folded integer;
begin
  if not pg_try_advisory_xact_lock(728410062) then return 0; end if;
  ids := array(
    select c.id from figure_changes c
    where p_account is null or (c.account_id = p_account and c.batch_id = p_batch) order by c.id limit p_most);
  perform 1 from batches b
    where b.id = any (array(select distinct c.batch_id from figure_changes c where c.id = any (ids))) order by b.id for key share;
  with taken as (
    delete from figure_changes c where c.id = any (ids) returning c.*
  ),
  added as (
    insert into figures as f (account_id, batch_id, dimension, day, key, calls, attempts, answered, human, machine, talk_ms)
    select t.account_id, w.batch_id, k.dimension, w.day, k.key, sum(t.calls), sum(t.attempts), sum(t.answered), sum(t.human),
      sum(t.machine), sum(t.talk_ms)
    from taken t
    cross join lateral figure_keys(t.hour, t.attempt, t.status, t.reason, t.sip_status_code, t.answered_by, t.phone_number) k
    cross join lateral (values ('', t.day), (t.batch_id, '-infinity'::date)) w (batch_id, day)
    where w.day > '-infinity' or exists (select 1 from batches b where b.id = w.batch_id)
    group by 1, 2, 3, 4, 5
    on conflict (account_id, batch_id, dimension, day, key) do update set
      calls = f.calls + excluded.calls, attempts = f.attempts + excluded.attempts, answered = f.answered + excluded.answered,
      human = f.human + excluded.human, machine = f.machine + excluded.machine, talk_ms = f.talk_ms + excluded.talk_ms
  ),
  passed as (
    insert into timeline as l (account_id, batch_id, step, at, dialed, answered, ended)
    select e.account_id, w.batch_id, s.step, start_of_step(e.at, s.step), sum(e.dialed), sum(e.answered), sum(e.ended)
    from (
      select t.account_id, t.batch_id, m.at, sum(m.dialed) as dialed, sum(m.answered) as answered, sum(m.ended) as ended
      from taken t
      cross join lateral minutes_passed(t.dialed_minute, t.answered_minute, t.ended_minute, t.attempts) m
      group by 1, 2, 3
    ) e
    cross join (values (60), (3600), (86400)) s (step)
    cross join lateral (values ('*'), (e.batch_id)) w (batch_id)
    where w.batch_id in ('', '*') or exists (select 1 from batches b where b.id = w.batch_id)
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (account_id, batch_id, step, at) do update set
      dialed = l.dialed + excluded.dialed, answered = l.answered + excluded.answered, ended = l.ended + excluded.ended
  )
  select count(*) into folded from taken;
  return folded;
end $$;

create or replace function delete_figures_of_batch() returns trigger language plpgsql as $$
begin
  delete from figures where account_id = old.account_id and batch_id = old.id;
  delete from timeline where account_id = old.account_id and batch_id = old.id;
  return null;
end $$;

-- Adds what ended before there was the trigger: what the calls say less what is kept or noted, in one statement and so of one
-- instant. Once more it adds nothing.
create procedure fill_timeline() language plpgsql as $$
declare
  owner record;
begin
  -- A dialer that adds up as it did before is waited for.
  perform pg_advisory_xact_lock(728410062);
  commit;
  for owner in select account_id, id as batch_id from batches union all select id, '' from accounts
  loop
    if owner.batch_id <> '' then
      perform 1 from batches where id = owner.batch_id for key share;
      continue when not found;
    end if;
    insert into timeline as l (account_id, batch_id, step, at, dialed, answered, ended)
    select owner.account_id, w.batch_id, s.step, start_of_step(m.at, s.step), sum(m.dialed), sum(m.answered), sum(m.ended)
    from (
      select b.at, sum(b.dialed) as dialed, sum(b.answered) as answered, sum(b.ended) as ended
      from (
        select c.at, c.dialed, c.answered, c.ended from counted_timeline(owner.account_id, owner.batch_id) c
        union all
        select k.at, -k.dialed, -k.answered, -k.ended from timeline k
        where k.account_id = owner.account_id and k.batch_id = owner.batch_id and k.step = 60
        union all
        select p.at, -p.dialed, -p.answered, -p.ended
        from figure_changes f
        cross join lateral minutes_passed(f.dialed_minute, f.answered_minute, f.ended_minute, f.attempts) p
        where f.account_id = owner.account_id and f.batch_id = owner.batch_id
      ) b
      group by b.at
      having sum(b.dialed) <> 0 or sum(b.answered) <> 0 or sum(b.ended) <> 0
    ) m
    cross join (values (60), (3600), (86400)) s (step)
    cross join (values ('*'), (owner.batch_id)) w (batch_id)
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (account_id, batch_id, step, at) do update set
      dialed = l.dialed + excluded.dialed, answered = l.answered + excluded.answered, ended = l.ended + excluded.ended;
    commit;
  end loop;
end $$;

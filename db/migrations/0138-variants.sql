-- Agents among which a batch divides its recipients: [{agentId, versionId, weight}]; null: all get the agent of its rule.
alter table batches add column variants jsonb;
-- The one that a recipient got: versionId, or agentId if it names none. It is kept for all attempts, with the call's agent.
alter table calls add column variant text;
alter table figure_changes add column variant text;

-- As figure_keys of 0056-figures.sql. Calls without a variant are in no row of that dimension, and cost none.
create function figure_keys(
  hour timestamp, attempt smallint, status text, reason text, sip_status_code integer, answered_by text, phone_number text,
  variant text)
returns table (dimension text, key text) language sql stable as $$
  select k.* from figure_keys(hour, attempt, status, reason, sip_status_code, answered_by, phone_number) k
  union all
  select 'variant', variant where variant is not null
$$;

-- The same as before with the variant: those that note, that add up, and that count to compare.
create or replace function note_figures() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from new_calls n where n.type = 'outbound' and (n.settled or n.attempts_made > 0)) then
    return null;
  end if;
  insert into figure_changes (account_id, batch_id, day, hour, attempt, status, reason, sip_status_code, answered_by, phone_number,
    calls, attempts, answered, human, machine, success, talk_ms, dialed_minute, answered_minute, ended_minute, variant)
  with changed as materialized (
    select n.*, o.settled as was_settled, o.attempts_made as had_made, o.status as was, o.reason as was_because,
      o.sip_status_code as had_code, o.answered_by as was_answered_by, o.ended_at as had_ended_at, a.number, a.outcome, a.reason as attempt_reason,
      a.sip_status_code as attempt_code, a.answered_at as attempt_answered_at, a.ended_at as attempt_ended_at,
      a.dialed_at as attempt_dialed_at, coalesce(a.success, false)::integer as attempt_success,
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
      c.from_number, 0 as calls, 1 as attempts, c.attempt_answered_at, c.attempt_ended_at, c.ended_at, c.attempt_dialed_at,
      0 as success, c.variant
    from changed c where c.attempts_made > c.had_made
    union all
    -- Who answered it, if that is said only now; a call that is made again forgets who answered the attempt before
    select c.id, c.account_id, c.batch_id, c.hour, c.number, c.outcome, c.attempt_reason, c.attempt_code,
      coalesce(s.answered_by, 'unknown'), c.from_number, 0, s.sign, c.attempt_answered_at, c.attempt_ended_at, c.ended_at, null,
      s.sign * c.attempt_success, c.variant
    from changed c cross join lateral (values (1, c.answered_by), (-1, c.was_answered_by)) s (sign, answered_by)
    where c.attempts_made = c.had_made and (c.settled or c.status = 'retrying' and c.was = 'retrying')
      and c.answered_by is not null and c.outcome = 'answered' and c.answered_by is distinct from c.was_answered_by
    union all
    -- A call that is over, and one that no longer is, or otherwise
    select c.id, c.account_id, c.batch_id, c.hour, nullif(c.attempts_made, 0::smallint), c.status, c.reason, c.sip_status_code,
      case when c.status = 'answered' then coalesce(c.answered_by, 'unknown') end, c.from_number, 1, 0,
      null, null, c.ended_at, null, 0, c.variant
    from changed c where c.settled
    union all
    select c.id, c.account_id, c.batch_id, h.hour, nullif(c.had_made, 0::smallint), c.was, c.was_because, c.had_code,
      case when c.was = 'answered' then coalesce(c.was_answered_by, 'unknown') end, c.from_number, -1, 0,
      null, null, c.had_ended_at, null, 0, c.variant
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
    sum(p.success), sum(p.attempts * p.answered * p.talk_ms), p.dialed_minute, p.answered_minute, p.ended_minute, p.variant
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
    insert into figures as f (account_id, batch_id, dimension, day, key, calls, attempts, answered, human, machine, success,
      talk_ms)
    select t.account_id, w.batch_id, k.dimension, w.day, k.key, sum(t.calls), sum(t.attempts), sum(t.answered), sum(t.human),
      sum(t.machine), sum(t.success), sum(t.talk_ms)
    from taken t
    cross join lateral figure_keys(t.hour, t.attempt, t.status, t.reason, t.sip_status_code, t.answered_by, t.phone_number, t.variant) k
    cross join lateral (values ('', t.day), (t.batch_id, '-infinity'::date)) w (batch_id, day)
    where w.day > '-infinity' or exists (select 1 from batches b where b.id = w.batch_id)
    group by 1, 2, 3, 4, 5
    on conflict (account_id, batch_id, dimension, day, key) do update set
      calls = f.calls + excluded.calls, attempts = f.attempts + excluded.attempts, answered = f.answered + excluded.answered,
      human = f.human + excluded.human, machine = f.machine + excluded.machine,
      success = f.success + excluded.success, talk_ms = f.talk_ms + excluded.talk_ms
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

create or replace function note_success() returns trigger language plpgsql as $$
begin
  insert into figure_changes (account_id, batch_id, day, hour, attempt, status, reason, sip_status_code, answered_by, phone_number,
    calls, attempts, answered, human, machine, success, talk_ms, variant)
  select c.account_id, coalesce(c.batch_id, ''), h.hour::date, h.hour, new.number, new.outcome, new.reason, new.sip_status_code,
    coalesce(new.answered_by, 'unknown'), c.from_number, 0, 0, 0, 0, 0, 1, 0, c.variant
  from calls c
  cross join lateral (
    select coalesce(new.callee_hour, hour_in_zone(new.dialed_at, (select b.timezone from batches b where b.id = c.batch_id)))
      as hour) h
  where c.id = new.call_id and c.type = 'outbound';
  return null;
end $$;

-- As counted_figures and counted_successes, with the variant. Those stay as they are: earlier migrations fill figures by them.
create function counted_figures_of_variants(p_account text, p_batch text)
returns table (
  day date, hour timestamp, attempt smallint, status text, reason text, sip_status_code integer, answered_by text,
  phone_number text, calls integer, attempts integer, answered integer, human integer, machine integer, talk_ms bigint, variant text)
language sql stable as $$
  with own as materialized (
    select c.*, b.timezone from calls c left join batches b on b.id = c.batch_id
    where c.account_id = p_account and c.type = 'outbound'
      and (c.batch_id = p_batch or (p_batch = '' and c.batch_id is null)) and (c.settled or c.attempts_made > 0)
  ),
  made as materialized (
    select a.*, c.attempts_made, coalesce(a.caller, c.from_number) as made_from, c.variant,
      coalesce(a.callee_hour, hour_in_zone(a.dialed_at, c.timezone)) as hour
    from own c join call_attempts a on a.call_id = c.id and a.number <= c.attempts_made and a.phase = 'ended'
  )
  select m.hour::date, m.hour, m.number, m.outcome, m.reason, m.sip_status_code,
    case when m.outcome = 'answered' then coalesce(m.answered_by, 'unknown') end, m.made_from, 0, 1,
    (m.outcome = 'answered')::integer, (m.outcome = 'answered' and m.answered_by is not distinct from 'human')::integer,
    (m.outcome = 'answered' and m.answered_by is not distinct from 'machine')::integer,
    case when m.outcome = 'answered' then coalesce(round(extract(epoch from m.ended_at - m.answered_at) * 1000), 0) else 0 end::bigint, m.variant
  from made m
  union all
  select coalesce(m.hour::date, (coalesce(c.ended_at, c.updated_at) at time zone 'UTC')::date), m.hour, nullif(c.attempts_made, 0::smallint), c.status,
    c.reason, c.sip_status_code, case when c.status = 'answered' then coalesce(c.answered_by, 'unknown') end, c.from_number,
    1, 0, 0, 0, 0, 0, c.variant
  from own c left join made m on m.call_id = c.id and m.number = c.attempts_made
  where c.settled
$$;

create function counted_successes_of_variants(p_account text, p_batch text)
returns table (
  day date, hour timestamp, attempt smallint, status text, reason text, sip_status_code integer, answered_by text,
  phone_number text, success integer, variant text)
language sql stable as $$
  select h.hour::date, h.hour, a.number, a.outcome, a.reason, a.sip_status_code, coalesce(a.answered_by, 'unknown'), c.from_number, 1, c.variant
  from calls c
  join call_attempts a on a.call_id = c.id and a.success
  cross join lateral (
    select coalesce(a.callee_hour, hour_in_zone(a.dialed_at, (select b.timezone from batches b where b.id = c.batch_id)))
      as hour) h
  where c.account_id = p_account and c.type = 'outbound' and (c.batch_id = p_batch or (p_batch = '' and c.batch_id is null))
$$;

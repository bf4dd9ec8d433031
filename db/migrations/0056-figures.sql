-- What calls came to, by hour, day, attempt, status, reason, SIP code, who answered and number: as sums, so that they cost the same
-- for any batch and any years of history. A statement that ends attempts or calls notes what it changes in `figure_changes`,
-- to which rows are only added, so that nobody waits for anybody; `fold_figures` adds the notes up. What is answered is the sum
-- of both tables in one snapshot, and so always exact.

-- Hour in which an attempt was dialed, by its callee's clock; null: only the batch's own zone is known.
alter table call_attempts add column callee_hour timestamp;

create table figure_changes (
  id bigint generated always as identity primary key,
  account_id text not null,
  -- '' for single calls
  batch_id text not null,
  -- Of the hour; of a call that was never dialed, that on which it ended (UTC)
  day date not null,
  hour timestamp,
  attempt smallint,
  status text,
  reason text,
  sip_status_code integer,
  answered_by text,
  phone_number text,
  -- Calls that are over, attempts that are over, and those of them that were answered, by whom, and for how long
  calls integer not null,
  attempts integer not null,
  answered integer not null,
  human integer not null,
  machine integer not null,
  talk_ms bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index figure_changes_by_batch on figure_changes (account_id, batch_id);

-- batch_id '': of the whole account, by the day of the callee's clock; of a batch, day is -infinity. They stay when calls are erased or
-- emptied. Those of a batch go with it; those of the account stay, as its usage does.
create table figures (
  account_id text not null,
  batch_id text not null,
  dimension text not null,
  day date not null,
  -- '': none, such as the hour of a call that was never dialed
  key text collate "C" not null,
  calls bigint not null,
  attempts bigint not null,
  answered bigint not null,
  human bigint not null,
  machine bigint not null,
  talk_ms bigint not null,
  primary key (account_id, batch_id, dimension, day, key)
) with (fillfactor = 70);

-- Under what an attempt or a call is counted, in each dimension.
create function figure_keys(
  hour timestamp, attempt smallint, status text, reason text, sip_status_code integer, answered_by text, phone_number text)
returns table (dimension text, key text) language sql stable as $$
  values ('hour', coalesce(to_char(hour, 'HH24'), '')), ('day', coalesce(to_char(hour, 'YYYY-MM-DD'), '')),
    ('attempt', coalesce(attempt::text, '')), ('status', coalesce(status, '')), ('reason', coalesce(reason, '')),
    ('sipStatusCode', coalesce(sip_status_code::text, '')), ('answeredBy', coalesce(answered_by, '')),
    ('phoneNumber', coalesce(phone_number, ''))
$$;

-- A zone that PostgreSQL does not know must keep no call from ending.
create function hour_in_zone(p_at timestamptz, p_zone text) returns timestamp language plpgsql stable as $$
begin
  return date_trunc('hour', p_at at time zone coalesce(p_zone, 'UTC'));
exception when invalid_parameter_value then
  return date_trunc('hour', p_at at time zone 'UTC');
end $$;

-- What calls and attempts themselves say, one row for each attempt that was made to its end and for each call that is over. The
-- sums of these rows are the figures. p_batch '': single calls of the account.
create function counted_figures(p_account text, p_batch text)
returns table (
  day date, hour timestamp, attempt smallint, status text, reason text, sip_status_code integer, answered_by text,
  phone_number text, calls integer, attempts integer, answered integer, human integer, machine integer, talk_ms bigint)
language sql stable as $$
  with own as materialized (
    select c.*, b.timezone from calls c left join batches b on b.id = c.batch_id
    where c.account_id = p_account and c.type = 'outbound'
      and (c.batch_id = p_batch or (p_batch = '' and c.batch_id is null)) and (c.settled or c.attempts_made > 0)
  ),
  made as materialized (
    select a.*, c.attempts_made, c.from_number, coalesce(a.callee_hour, hour_in_zone(a.dialed_at, c.timezone)) as hour
    from own c join call_attempts a on a.call_id = c.id and a.number <= c.attempts_made and a.phase = 'ended'
  )
  select m.hour::date, m.hour, m.number, m.outcome, m.reason, m.sip_status_code,
    case when m.outcome = 'answered' then coalesce(m.answered_by, 'unknown') end, m.from_number, 0, 1,
    (m.outcome = 'answered')::integer, (m.outcome = 'answered' and m.answered_by is not distinct from 'human')::integer,
    (m.outcome = 'answered' and m.answered_by is not distinct from 'machine')::integer,
    case when m.outcome = 'answered' then coalesce(round(extract(epoch from m.ended_at - m.answered_at) * 1000), 0) else 0 end::bigint
  from made m
  union all
  select coalesce(m.hour::date, (coalesce(c.ended_at, c.updated_at) at time zone 'UTC')::date), m.hour, nullif(c.attempts_made, 0::smallint), c.status,
    c.reason, c.sip_status_code, case when c.status = 'answered' then coalesce(c.answered_by, 'unknown') end, c.from_number,
    1, 0, 0, 0, 0, 0
  from own c left join made m on m.call_id = c.id and m.number = c.attempts_made
  where c.settled
$$;

-- Notes what a statement changes. A call is counted when it is over, an attempt when it is; if that changes later, such as who
-- answered, the old is taken back.
create function note_figures() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from new_calls n where n.type = 'outbound' and (n.settled or n.attempts_made > 0)) then
    return null;
  end if;
  insert into figure_changes (account_id, batch_id, day, hour, attempt, status, reason, sip_status_code, answered_by, phone_number,
    calls, attempts, answered, human, machine, talk_ms)
  with changed as materialized (
    select n.*, o.settled as was_settled, o.attempts_made as had_made, o.status as was, o.reason as was_because,
      o.sip_status_code as had_code, o.answered_by as was_answered_by, o.ended_at as had_ended_at, a.number, a.outcome, a.reason as attempt_reason,
      a.sip_status_code as attempt_code, a.answered_at as attempt_answered_at, a.ended_at as attempt_ended_at,
      case when a.call_id is not null
        then coalesce(a.callee_hour, hour_in_zone(a.dialed_at, (select b.timezone from batches b where b.id = n.batch_id))) end
        as hour
    from new_calls n
    join old_calls o on o.id = n.id
    left join call_attempts a on a.call_id = n.id and a.number = n.attempts_made
    where n.type = 'outbound' and (n.attempts_made > o.attempts_made or n.settled is distinct from o.settled
      or n.settled and (n.status, n.reason, n.sip_status_code, n.answered_by)
        is distinct from (o.status, o.reason, o.sip_status_code, o.answered_by))
  ),
  parts as (
    -- An attempt that is over
    select c.id, c.account_id, c.batch_id, c.hour, c.number as attempt, c.outcome as status, c.attempt_reason as reason,
      c.attempt_code as code, case when c.outcome = 'answered' then coalesce(c.answered_by, 'unknown') end as answered_by,
      c.from_number, 0 as calls, 1 as attempts, c.attempt_answered_at, c.attempt_ended_at, c.ended_at
    from changed c where c.attempts_made > c.had_made
    union all
    -- Who answered it, if that is said only now; a call that is made again forgets who answered the attempt before
    select c.id, c.account_id, c.batch_id, c.hour, c.number, c.outcome, c.attempt_reason, c.attempt_code,
      coalesce(s.answered_by, 'unknown'), c.from_number, 0, s.sign, c.attempt_answered_at, c.attempt_ended_at, c.ended_at
    from changed c cross join lateral (values (1, c.answered_by), (-1, c.was_answered_by)) s (sign, answered_by)
    where c.attempts_made = c.had_made and c.settled and c.outcome = 'answered'
      and c.answered_by is distinct from c.was_answered_by
    union all
    -- A call that is over, and one that no longer is, or otherwise
    select c.id, c.account_id, c.batch_id, c.hour, nullif(c.attempts_made, 0::smallint), c.status, c.reason, c.sip_status_code,
      case when c.status = 'answered' then coalesce(c.answered_by, 'unknown') end, c.from_number, 1, 0,
      null, null, c.ended_at
    from changed c where c.settled
    union all
    select c.id, c.account_id, c.batch_id, h.hour, nullif(c.had_made, 0::smallint), c.was, c.was_because, c.had_code,
      case when c.was = 'answered' then coalesce(c.was_answered_by, 'unknown') end, c.from_number, -1, 0,
      null, null, c.had_ended_at
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
    sum(p.attempts * p.answered * p.talk_ms)
  from (
    select parts.*, coalesce(parts.hour::date, (coalesce(parts.ended_at, clock_timestamp()) at time zone 'UTC')::date) as day,
      coalesce(parts.status = 'answered', false)::integer as answered,
      coalesce(round(extract(epoch from parts.attempt_ended_at - parts.attempt_answered_at) * 1000), 0)::bigint as talk_ms
    from parts
  ) p
  group by p.account_id, p.batch_id, p.day, p.hour, p.attempt, p.status, p.reason, p.code, p.answered_by, p.from_number
  having sum(p.calls) <> 0 or sum(p.attempts) <> 0;
  return null;
end $$;
create trigger figures_are_noted after update on calls
  referencing old table as old_calls new table as new_calls
  for each statement execute function note_figures();

-- Adds notes up, those of one batch or of all, and removes them. One process at a time; others do nothing meanwhile. Rows of
-- batches are locked, so that no figures are written for a batch that is being deleted.
create function fold_figures(p_most integer, p_account text default null, p_batch text default null) returns integer
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
  )
  select count(*) into folded from taken;
  return folded;
end $$;

-- A trigger, because a process of the version before deletes batches, too.
create function delete_figures_of_batch() returns trigger language plpgsql as $$
begin
  delete from figures where account_id = old.account_id and batch_id = old.id;
  return null;
end $$;
create trigger figures_go_with_their_batch after delete on batches for each row execute function delete_figures_of_batch();

-- What was there before. In one statement, and so of one instant, the notes that the trigger has made meanwhile are replaced by what
-- the calls say. Nobody is kept from changing calls; nothing is folded before the last file of functions has been applied.
create table figures_filled (account_id text, batch_id text, primary key (account_id, batch_id));
create procedure fill_figures() language plpgsql as $$
declare
  owner record;
begin
  for owner in
    select account_id, id as batch_id from batches union all select id, '' from accounts
    except all select account_id, batch_id from figures_filled
  loop
    if owner.batch_id <> '' then
      perform 1 from batches where id = owner.batch_id for key share;
      continue when not found;
    end if;
    with noted as (
      delete from figure_changes c where c.account_id = owner.account_id and c.batch_id = owner.batch_id
    )
    insert into figure_changes (account_id, batch_id, day, hour, attempt, status, reason, sip_status_code, answered_by,
      phone_number, calls, attempts, answered, human, machine, talk_ms)
    select owner.account_id, owner.batch_id, f.* from counted_figures(owner.account_id, owner.batch_id) f;
    while fold_figures(20000, owner.account_id, owner.batch_id) > 0 loop end loop;
    insert into figures_filled values (owner.account_id, owner.batch_id);
    commit;
  end loop;
end $$;

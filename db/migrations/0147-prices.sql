-- What an account pays: the currency of all its prices and costs (ISO 4217), and its prices for calls. Amounts are whole
-- millionths of the currency, and nothing here is a float.
create table account_prices (
  account_id text primary key references accounts (id) on delete cascade,
  currency text not null,
  updated_at timestamptz not null default clock_timestamp()
);

create table call_prices (
  account_id text not null references account_prices on delete cascade,
  -- null: any gateway of the account
  gateway_id text references gateways on delete cascade,
  -- ISO 3166-1 alpha-2 or 001, as domain/phone/number-kind.ts says; '': any
  country text not null default '',
  per_minute bigint not null check (per_minute >= 0),
  -- What is charged is a whole number of increments, and no less than the minimum.
  increment_seconds integer not null check (increment_seconds > 0),
  minimum_seconds integer not null check (minimum_seconds > 0),
  gateway text not null generated always as (coalesce(gateway_id, '')) stored,
  primary key (account_id, gateway, country)
);
create index call_prices_by_gateway on call_prices (gateway_id) where gateway_id is not null;

alter table call_attempts
  -- Of the number at the other end, as the prices name it; null: ended by a process that does not say.
  add column country text,
  -- Of an answered attempt that is over, by the prices of that instant; null: there were none, or none that fits (unpriced)
  add column cost bigint,
  add column unpriced boolean;
alter table figure_changes add column cost bigint not null default 0, add column unpriced integer not null default 0;
alter table figures add column cost bigint not null default 0, add column unpriced bigint not null default 0;

-- Prices an attempt in the statement that ends it, whoever that is: so no cost is lost and none is counted twice. The lock keeps the
-- currency as it is until this is committed; other changes of prices do not wait for it. The most specific price counts: that of
-- gateway and country, of the gateway, of the country, of all. Inbound calls have only prices that name their gateway.
create function price_attempt() returns trigger language plpgsql as $$
declare
  price call_prices;
  seconds numeric;
begin
  perform 1 from account_prices p where p.account_id = new.account_id for key share;
  if not found then return new; end if;
  select c.* into price from call_prices c
  where c.account_id = new.account_id and c.gateway in (new.gateway_id, '') and c.country in (new.country, '')
    and (c.gateway <> '' or new.batch_id is not null
      or exists (select 1 from calls k where k.id = new.call_id and k.type = 'outbound'))
  order by c.gateway = '', c.country = '' limit 1;
  -- A process of the version before does not say the country: if a price depends on it, none is known to fit.
  if price.account_id is null or new.country is null and exists (
    select 1 from call_prices c
    where c.account_id = new.account_id and c.gateway in (new.gateway_id, '') and c.country <> '') then
    new.unpriced := nullif(exists (select 1 from call_prices c where c.account_id = new.account_id), false);
    return new;
  end if;
  seconds := round(extract(epoch from new.ended_at - new.answered_at), 3);
  seconds := greatest(ceil(seconds / price.increment_seconds) * price.increment_seconds, price.minimum_seconds);
  new.cost := div(price.per_minute * seconds + 30, 60);
  return new;
end $$;
create trigger attempts_are_priced before update on call_attempts
  for each row when (new.phase = 'ended' and old.phase <> 'ended' and new.answered_at is not null)
  execute function price_attempt();

-- The same as in 0138-variants.sql with costs: those that note and that add up.
create or replace function note_figures() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from new_calls n where n.type = 'outbound' and (n.settled or n.attempts_made > 0)) then
    return null;
  end if;
  insert into figure_changes (account_id, batch_id, day, hour, attempt, status, reason, sip_status_code, answered_by, phone_number,
    calls, attempts, answered, human, machine, success, talk_ms, dialed_minute, answered_minute, ended_minute, variant, cost, unpriced)
  with changed as materialized (
    select n.*, o.settled as was_settled, o.attempts_made as had_made, o.status as was, o.reason as was_because,
      o.sip_status_code as had_code, o.answered_by as was_answered_by, o.ended_at as had_ended_at, a.number, a.outcome, a.reason as attempt_reason,
      a.sip_status_code as attempt_code, a.answered_at as attempt_answered_at, a.ended_at as attempt_ended_at,
      a.dialed_at as attempt_dialed_at, coalesce(a.success, false)::integer as attempt_success,
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
      c.from_number, 0 as calls, 1 as attempts, c.attempt_answered_at, c.attempt_ended_at, c.ended_at, c.attempt_dialed_at,
      0 as success, c.variant, c.attempt_cost as cost, c.attempt_unpriced as unpriced
    from changed c where c.attempts_made > c.had_made
    union all
    -- Who answered it, if that is said only now; a call that is made again forgets who answered the attempt before
    select c.id, c.account_id, c.batch_id, c.hour, c.number, c.outcome, c.attempt_reason, c.attempt_code,
      coalesce(s.answered_by, 'unknown'), c.from_number, 0, s.sign, c.attempt_answered_at, c.attempt_ended_at, c.ended_at, null,
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
      talk_ms, cost, unpriced)
    select t.account_id, w.batch_id, k.dimension, w.day, k.key, sum(t.calls), sum(t.attempts), sum(t.answered), sum(t.human),
      sum(t.machine), sum(t.success), sum(t.talk_ms), sum(t.cost), sum(t.unpriced)
    from taken t
    cross join lateral figure_keys(t.hour, t.attempt, t.status, t.reason, t.sip_status_code, t.answered_by, t.phone_number, t.variant) k
    cross join lateral (values ('', t.day), (t.batch_id, '-infinity'::date)) w (batch_id, day)
    where w.day > '-infinity' or exists (select 1 from batches b where b.id = w.batch_id)
    group by 1, 2, 3, 4, 5
    on conflict (account_id, batch_id, dimension, day, key) do update set
      calls = f.calls + excluded.calls, attempts = f.attempts + excluded.attempts, answered = f.answered + excluded.answered,
      human = f.human + excluded.human, machine = f.machine + excluded.machine,
      success = f.success + excluded.success, talk_ms = f.talk_ms + excluded.talk_ms, cost = f.cost + excluded.cost,
      unpriced = f.unpriced + excluded.unpriced
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

-- What the attempts themselves say of it, to be compared. p_batch '': single calls of the account.
create function counted_costs(p_account text, p_batch text)
returns table (
  day date, hour timestamp, attempt smallint, status text, reason text, sip_status_code integer, answered_by text,
  phone_number text, cost bigint, unpriced integer, variant text)
language sql stable as $$
  select h.hour::date, h.hour, a.number, a.outcome, a.reason, a.sip_status_code,
    case when a.outcome = 'answered' then coalesce(a.answered_by, 'unknown') end, coalesce(a.caller, c.from_number),
    coalesce(a.cost, 0), coalesce(a.unpriced, false)::integer, c.variant
  from calls c
  join call_attempts a on a.call_id = c.id and a.number <= c.attempts_made and a.phase = 'ended' and (a.cost is not null or a.unpriced)
  cross join lateral (
    select coalesce(a.callee_hour, hour_in_zone(a.dialed_at, (select b.timezone from batches b where b.id = c.batch_id)))
      as hour) h
  where c.account_id = p_account and c.type = 'outbound' and (c.batch_id = p_batch or (p_batch = '' and c.batch_id is null))
$$;

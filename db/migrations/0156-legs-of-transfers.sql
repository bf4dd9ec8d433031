-- The leg to the target of a warm transfer: by which gateway it goes, how long it talked, and what it has cost (ADR 56). Its cost is in that of
-- the attempt that it belongs to, as that of models is.
alter table call_transfers
  -- By which the target is called; null: that of the call
  add column gateway_id text,
  -- Of the target's number, as the prices name it
  add column country text,
  add column answered_at timestamptz,
  -- When its telephone was hung up; null also if it was not picked up
  add column left_at timestamptz,
  add column cost bigint,
  -- No price fitted
  add column unpriced boolean;

-- What minutes cost by the prices of now; all null: the account has none. The lock keeps the currency as it is until this is committed; other
-- changes of prices do not wait for it. The most specific price counts: that of gateway and country, of the gateway, of the country, of
-- all. Calls that came in have only prices that name their gateway.
create function cost_of_minutes(
  p_account text, p_gateway text, p_country text, p_came_in boolean, p_from timestamptz, p_until timestamptz,
  out cost bigint, out unpriced boolean)
language plpgsql as $$
declare
  price call_prices;
  seconds numeric;
begin
  perform 1 from account_prices p where p.account_id = p_account for key share;
  if not found then return; end if;
  select c.* into price from call_prices c
  where c.account_id = p_account and c.gateway in (p_gateway, '') and c.country in (p_country, '')
    and (c.gateway <> '' or not p_came_in)
  order by c.gateway = '', c.country = '' limit 1;
  -- A process of the version before does not say the country: if a price depends on it, none is known to fit.
  if price.account_id is null or p_country is null and exists (
    select 1 from call_prices c
    where c.account_id = p_account and c.gateway in (p_gateway, '') and c.country <> '') then
    unpriced := nullif(exists (select 1 from call_prices c where c.account_id = p_account), false);
    return;
  end if;
  seconds := round(extract(epoch from p_until - p_from), 3);
  seconds := greatest(ceil(seconds / price.increment_seconds) * price.increment_seconds, price.minimum_seconds);
  cost := div(price.per_minute * seconds + 30, 60);
end $$;

-- As in 0149-prices-of-models.sql; a leg that no price fitted stays counted.
create or replace function price_attempt() returns trigger language plpgsql as $$
declare
  priced record;
begin
  select * into priced from cost_of_minutes(new.account_id, new.gateway_id, new.country,
    new.batch_id is null and exists (select 1 from calls k where k.id = new.call_id and k.type = 'inbound'),
    new.answered_at, new.ended_at);
  if priced.cost is not null then new.cost := coalesce(new.cost, 0) + priced.cost; end if;
  new.unpriced := coalesce(priced.unpriced, new.unpriced);
  return new;
end $$;

-- Adds to the cost of an attempt, beside that of its own minutes. The end of an attempt puts its cost into the figures (note_figures), and takes
-- the lock of the call for it: so what is added before that is in it, and what is added later is noted here, once.
create function add_cost(p_call uuid, p_number smallint, p_more bigint, p_unpriced boolean) returns void language plpgsql as $$
declare
  attempt record;
  newly_unpriced integer;
begin
  perform 1 from calls c where c.id = p_call for share;
  with before as (
    select b.call_id, b.number, b.unpriced from call_attempts b where b.call_id = p_call and b.number = p_number for no key update
  )
  update call_attempts a
  set cost = case when p_more = 0 then a.cost else coalesce(a.cost, 0) + p_more end, unpriced = nullif(coalesce(a.unpriced, false) or p_unpriced, false)
  from before b where a.call_id = b.call_id and a.number = b.number
  returning a.*, b.unpriced as was_unpriced into attempt;
  if not found or attempt.phase <> 'ended' then return; end if;
  newly_unpriced := (p_unpriced and coalesce(attempt.was_unpriced, false) = false)::integer;
  if p_more = 0 and newly_unpriced = 0 then return; end if;
  insert into figure_changes (account_id, batch_id, day, hour, attempt, status, reason, sip_status_code, answered_by, phone_number,
    calls, attempts, answered, human, machine, success, talk_ms, variant, cost, unpriced)
  select c.account_id, coalesce(c.batch_id, ''), coalesce(h.hour::date, (attempt.ended_at at time zone 'UTC')::date), h.hour, p_number,
    attempt.outcome, attempt.reason, attempt.sip_status_code,
    case when attempt.outcome = 'answered' then coalesce(attempt.answered_by, 'unknown') end, coalesce(attempt.caller, c.from_number),
    0, 0, 0, 0, 0, 0, 0, c.variant, p_more, newly_unpriced
  from calls c
  cross join lateral (
    select coalesce(attempt.callee_hour, hour_in_zone(attempt.dialed_at, (select b.timezone from batches b where b.id = c.batch_id)))
      as hour) h
  where c.id = p_call and c.type = 'outbound' and c.attempts_made >= p_number;
end $$;

-- As in 0149-prices-of-models.sql.
create or replace function add_model_cost() returns trigger language plpgsql as $$
declare
  more bigint;
begin
  more := round(new.cost);
  if tg_op = 'UPDATE' then more := more - coalesce(round(old.cost), 0); end if;
  if more = 0 then return null; end if;
  -- `<attempt>/<run>` of an agent, `analysis/<attempt>/…`, `summary/<attempt>`, or `summary` of the first
  perform add_cost(new.call_id, coalesce(substring(new.source from '^(?:[a-z]+/)?([0-9]{1,4})')::smallint, 1::smallint), more, false);
  return null;
end $$;

-- Prices the leg of a target in the statement that notes that it was hung up, whoever that is: so it is priced once.
create function price_transfer() returns trigger language plpgsql as $$
declare
  priced record;
begin
  select * into priced from cost_of_minutes(new.account_id, coalesce(new.gateway_id,
    (select a.gateway_id from call_attempts a where a.call_id = new.call_id and a.number = new.number)),
    new.country, false, new.answered_at, new.left_at);
  new.cost := priced.cost;
  new.unpriced := priced.unpriced;
  return new;
end $$;
create trigger transfers_are_priced before update on call_transfers
  for each row when (new.left_at is not null and old.left_at is null and new.answered_at is not null)
  execute function price_transfer();

create function add_transfer_cost() returns trigger language plpgsql as $$
begin
  perform add_cost(new.call_id, new.number, coalesce(new.cost, 0), coalesce(new.unpriced, false));
  return null;
end $$;
create trigger transfers_cost after update on call_transfers
  for each row when (new.left_at is not null and old.left_at is null and (new.cost is not null or new.unpriced))
  execute function add_transfer_cost();

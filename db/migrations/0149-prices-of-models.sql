-- What models cost (ADR 55): prices per unit, and the cost of what was used in that of the attempt that it was used for.
create table model_prices (
  account_id text not null references account_prices on delete cascade,
  -- '': any; model: the slug after the provider
  provider text not null default '',
  model text not null default '',
  kind text not null default '' check (kind in ('', 'stt', 'llm', 'tts', 'realtime')),
  -- Millionths of the currency; null: nothing is charged by this unit
  million_input bigint check (million_input >= 0),
  -- Of input tokens that the provider had in its cache; null: as the others
  million_cached_input bigint check (million_cached_input >= 0),
  million_output bigint check (million_output >= 0),
  thousand_characters bigint check (thousand_characters >= 0),
  minute bigint check (minute >= 0),
  primary key (account_id, provider, model, kind),
  check (model = '' or provider <> '')
);

-- Of all that the source has used so far, exact, in millionths: each part by the prices of the instant at which it was stored. null: no
-- price fitted.
alter table call_usage add column cost numeric;

-- Prices what is used more than before. The lock keeps the currency as it is until this is committed.
create function price_model_usage() returns trigger language plpgsql as $$
declare
  price model_prices;
  before call_usage;
begin
  if tg_op = 'UPDATE' then before := old; end if;
  new.cost := before.cost;
  select p.* into price from model_prices p
  where p.account_id = new.account_id and p.provider in (split_part(new.model, '/', 1), '')
    and p.model in (substr(new.model, strpos(new.model, '/') + 1), '') and p.kind in (new.kind, '')
  order by p.provider = '', p.model = '', p.kind = '' limit 1;
  if not found then return new; end if;
  perform 1 from account_prices p where p.account_id = new.account_id for key share;
  new.cost := coalesce(before.cost, 0)
    + ((new.input_tokens - coalesce(before.input_tokens, 0)
        - new.cached_input_tokens + coalesce(before.cached_input_tokens, 0)) * coalesce(price.million_input, 0)
      + (new.cached_input_tokens - coalesce(before.cached_input_tokens, 0))
        * coalesce(price.million_cached_input, price.million_input, 0)
      + (new.output_tokens - coalesce(before.output_tokens, 0)) * coalesce(price.million_output, 0))::numeric / 1000000
    + (new.characters - coalesce(before.characters, 0)) * coalesce(price.thousand_characters, 0)::numeric / 1000
    + (new.audio_seconds::numeric - coalesce(before.audio_seconds, 0)::numeric) * coalesce(price.minute, 0) / 60;
  return new;
end $$;
create trigger model_usage_is_priced before insert or update on call_usage
  for each row execute function price_model_usage();

-- Adds it to the cost of the attempt. The end of an attempt puts its cost into the figures (note_figures), and takes the lock of the call
-- for it: so what is used before that is in it, and what is stored later is noted here, once.
create function add_model_cost() returns trigger language plpgsql as $$
declare
  more bigint;
  of_attempt smallint;
  attempt call_attempts;
begin
  more := round(new.cost);
  if tg_op = 'UPDATE' then more := more - coalesce(round(old.cost), 0); end if;
  if more = 0 then return null; end if;
  perform 1 from calls c where c.id = new.call_id for share;
  -- `<attempt>/<run>` of an agent, `analysis/<attempt>/…`, `summary/<attempt>`, or `summary` of the first
  of_attempt := coalesce(substring(new.source from '^(?:[a-z]+/)?([0-9]{1,4})')::smallint, 1);
  update call_attempts a set cost = coalesce(a.cost, 0) + more
  where a.call_id = new.call_id and a.number = of_attempt
  returning a.* into attempt;
  if not found or attempt.phase <> 'ended' then return null; end if;
  insert into figure_changes (account_id, batch_id, day, hour, attempt, status, reason, sip_status_code, answered_by, phone_number,
    calls, attempts, answered, human, machine, success, talk_ms, variant, cost)
  select c.account_id, coalesce(c.batch_id, ''), coalesce(h.hour::date, (attempt.ended_at at time zone 'UTC')::date), h.hour, of_attempt,
    attempt.outcome, attempt.reason, attempt.sip_status_code,
    case when attempt.outcome = 'answered' then coalesce(attempt.answered_by, 'unknown') end, coalesce(attempt.caller, c.from_number),
    0, 0, 0, 0, 0, 0, 0, c.variant, more
  from calls c
  cross join lateral (
    select coalesce(attempt.callee_hour, hour_in_zone(attempt.dialed_at, (select b.timezone from batches b where b.id = c.batch_id)))
      as hour) h
  where c.id = new.call_id and c.type = 'outbound' and c.attempts_made >= of_attempt;
  return null;
end $$;
create trigger model_usage_costs after insert or update on call_usage
  for each row when (new.cost is not null) execute function add_model_cost();

-- As in 0147-prices.sql, but what models have cost so far stays in the cost.
create or replace function price_attempt() returns trigger language plpgsql as $$
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
  new.cost := coalesce(new.cost, 0) + div(price.per_minute * seconds + 30, 60);
  return new;
end $$;

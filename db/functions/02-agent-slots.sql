-- Agent workers with a recent announcement. They announce themselves every few seconds: one that has not for 20 s is gone.
create or replace function present_agent_workers() returns setof agent_workers language sql as $$
  select * from agent_workers where seen_at > clock_timestamp() - interval '20 seconds'
$$;

-- A claim for a region that agents serve holds this lock until it is committed, so that each claim counts what the one before
-- it has taken, whichever gateways they are of, and claims are committed in the order of their `claimed_at`.
create or replace function take_agent_slots_lock(p_region text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('agents of ' || p_region, 0))
$$;

-- Of a region's slots, those that batches leave free, for single calls and for what comes in; the operator sets them. One is theirs in
-- any case: agents may have gone, and a batch must not stand still for good.
create or replace function reserved_agent_slots(p_region text, p_slots integer) returns integer
language sql stable parallel safe as $$
  select greatest(0, least(p_slots - 1, coalesce(
    operator_limit('reservedAgentSlots') -> p_region, operator_limit('reservedAgentSlots') -> '*', '0')::integer))
$$;

-- For each region the calls that its agents take at once, and the calls that have an agent or wait for one: every attempt from
-- its claim to its end; and how many more of them may be of batches, less than 0 if they have some that are reserved since. The region
-- that `auto` means comes first.
drop function if exists agent_slots;
create function agent_slots(p_regions text[])
returns table (region text, slots integer, taken integer, left_to_batches integer)
language sql as $$
  select w.region, w.slots, l.taken, w.slots - reserved_agent_slots(w.region, w.slots) - l.of_batches
  from unnest(p_regions) as r (name)
  cross join lateral (
    select r.name as region, coalesce(sum(p.slots), 0)::integer as slots from present_agent_workers() p where p.region = r.name
  ) w
  cross join lateral (
    select count(*)::integer as taken, count(*) filter (where a.lane <> '')::integer as of_batches
    from call_attempts a join gateways g on g.id = a.gateway_id
    where a.phase in ('claimed', 'dialing', 'ringing', 'answered')
      and case g.sip_region when 'auto' then p_regions[1] else g.sip_region end = r.name
  ) l
$$;

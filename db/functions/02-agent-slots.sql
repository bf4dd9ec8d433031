-- Agent workers with a recent announcement. They announce themselves every few seconds: one that has not for 20 s is gone.
create or replace function present_agent_workers() returns setof agent_workers language sql as $$
  select * from agent_workers where seen_at > clock_timestamp() - interval '20 seconds'
$$;

-- A claim for a region that agents serve holds this lock until it is committed, so that each claim counts what the one before
-- it has taken, whichever gateways they are of, and claims are committed in the order of their `claimed_at`.
create or replace function take_agent_slots_lock(p_region text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('agents of ' || p_region, 0))
$$;

-- For each region the calls that its agents take at once, and the calls that have an agent or wait for one: every attempt from
-- its claim to its end. The region that `auto` means comes first.
create or replace function agent_slots(p_regions text[])
returns table (region text, slots integer, taken integer)
language sql as $$
  select r.name,
    (select coalesce(sum(w.slots), 0)::integer from present_agent_workers() w where w.region = r.name),
    (select count(*)::integer from call_attempts a join gateways g on g.id = a.gateway_id
      where a.phase in ('claimed', 'dialing', 'ringing', 'answered')
        and case g.sip_region when 'auto' then p_regions[1] else g.sip_region end = r.name)
  from unnest(p_regions) as r (name)
$$;

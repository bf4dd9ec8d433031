-- Agent workers that have announced themselves lately. They do so every few seconds: one that has not for so long is gone.
create or replace function present_agent_workers() returns setof agent_workers language sql as $$
  select * from agent_workers where seen_at > clock_timestamp() - interval '20 seconds'
$$;

-- Who claims for a region that agents serve holds this until its claim is committed, so that each claim counts what the one
-- before it has taken, whichever gateways they are of, and claims are committed in the order of their `claimed_at`.
create or replace function take_agent_slots_lock(p_region text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('agents of ' || p_region, 0))
$$;

-- Calls that the agents of each region take at once, and those that have an agent or come before others that want one:
-- every attempt from its claim to its end. The region that `auto` means comes first.
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

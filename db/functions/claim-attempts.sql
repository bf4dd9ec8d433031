-- Which attempts may be dialed next, for one gateway whose turn it is: the heart of admission.
--
-- 1. Lock the gateway that has waited longest; others take other gateways meanwhile (skip locked).
-- 2. Only then, in a new statement and so with a fresh snapshot, count what is live on it. Counting in the locking
--    statement would count with a snapshot from before the lock, and two dialers would both fill the same slots.
-- 3. Leave them in the queue while no agent of the gateway's region is free. Claims of one region wait for each other here,
--    whichever gateways they are of, or two would take the last agent. `p_regions` are those whose agents take calls, the
--    one that `auto` means first; none if agents are simulated, and always there.
-- 4. Take due attempts: single calls first, then of batches by the weight of their priority (05-lane-shares.sql). Within a batch
--    those of the first priority, if its recipients have several. Of a batch whose client is asked about recipients first, only
--    those whom it has cleared; if they run short, it is asked (04-pre-dial.sql).
-- 5. Say when this gateway is worth looking at again; 'infinity' if only an event can change that.
--
-- The updates ask again whether an attempt is due: its notBefore may be changed in between.
--
-- Batches leave the reserved lines of a gateway free (`reserved_calls`), and the reserved agents of its region: together they have at
-- most the others, however few single calls are live.
--
-- A gateway with a number that has limits of its own takes no more of a batch than its number takes (00-number-limits.sql).
--
-- Conditions here keep the queue's order fair; the gate tests them again just before the INVITE.
drop function if exists claim_attempts;
create function claim_attempts(p_process uuid, p_most integer, p_regions text[] default '{}')
returns table (claimed_call_id uuid, claimed_number smallint, claimed_claim_id uuid)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  gw record;
  instant timestamptz;
  rate double precision;
  ceiling integer;
  live_now integer;
  live_of_batches integer;
  undialed integer;
  probes integer;
  region_name text;
  free_agents integer;
  agents_for_batches integer;
  free_slots integer;
  batch_lines integer;
  batch_slots integer;
  held_back boolean;
  ids uuid[];
  numbers smallint[];
  claims uuid[];
  clashes uuid[];
  clash_numbers smallint[];
  served text;
  rivals jsonb;
  lanes_taken text[];
  taken integer := 0;
  next_due timestamptz;
  number_due timestamptz;
  asking text[];
  asking_slots integer[];
  callers text[];
  put_off uuid[];
  put_off_numbers smallint[];
  put_off_until timestamptz[];
  needs_grants constant boolean := grants_required();
begin
  select a.*, g.max_concurrent_calls, g.reserved_calls, g.calls_per_second, g.sip_region, dialing_held_since(c) as held_since into gw
  from gateway_admission a
  join gateways g on g.id = a.gateway_id
  join accounts c on c.id = a.account_id
  where a.next_claim_at <= clock_timestamp()
  order by a.next_claim_at
  limit 1
  for no key update of a skip locked;
  if not found then return; end if;

  instant := clock_timestamp();
  if gw.held_since is not null then
    update gateway_admission a set next_claim_at = 'infinity' where a.gateway_id = gw.gateway_id;
    return;
  end if;
  -- A host that is granted again wakes the gateway.
  if needs_grants and (select ungranted_of_gateway(g) from gateways g where g.id = gw.gateway_id) is not null then
    update gateway_admission a set next_claim_at = 'infinity' where a.gateway_id = gw.gateway_id;
    return;
  end if;
  if gw.suspended_since is not null and gw.probe_at > instant then
    update gateway_admission a set next_claim_at = gw.probe_at where a.gateway_id = gw.gateway_id;
    return;
  end if;

  rate := gateway_rate(gw.calls_per_second, gw.pace, gw.pace_changed_at, instant);
  ceiling := gateway_ceiling(gw.max_concurrent_calls, gw.concurrency_cap, gw.concurrency_changed_at, instant);
  select count(*), count(*) filter (where a.lane <> ''), count(*) filter (where a.phase = 'claimed'),
    count(*) filter (where a.phase = 'claimed' or a.dialed_at >= gw.suspended_since)
  into live_now, live_of_batches, undialed, probes
  from call_attempts a
  where a.gateway_id = gw.gateway_id and a.phase in ('claimed', 'dialing', 'ringing', 'answered');
  live_now := live_now + transfer_lines_of(gw.gateway_id);

  -- Of the gateway's own lines, before what a suspension, the account or agents leave of them.
  batch_lines := ceiling - gateway_reserve(gw.reserved_calls, gw.max_concurrent_calls) - live_of_batches;

  -- One probe at a time, whatever calls are live since before the suspension.
  if gw.suspended_since is not null then ceiling := least(ceiling, live_now + greatest(0, 1 - probes)); end if;
  ceiling := least(ceiling, live_now + account_slots(gw.account_id));
  region_name := case gw.sip_region when 'auto' then p_regions[1] else gw.sip_region end;
  if region_name = any(p_regions) then
    -- Agents may go, so the dialer asks again for each call it prepares, in the order of `claimed_at`.
    perform take_agent_slots_lock(region_name);
    instant := clock_timestamp();
    select s.slots - s.taken, s.left_to_batches into free_agents, agents_for_batches
    from agent_slots(p_regions) s where s.region = region_name;
    if free_agents <= 0 then
      update gateway_admission a set next_claim_at = case
        when exists (select 1 from call_attempts q where q.gateway_id = gw.gateway_id and q.phase = 'queued')
          then instant + interval '1 second' -- the end of a call of this gateway wakes it sooner
        else 'infinity' end
      where a.gateway_id = gw.gateway_id;
      return;
    end if;
    ceiling := least(ceiling, live_now + free_agents);
    batch_lines := least(batch_lines, agents_for_batches);
  end if;

  -- No more than pacing lets out within a second waits with its agent slot reserved.
  free_slots := least(ceiling - live_now, 1 + ceil(rate)::integer - undialed, p_most);
  if free_slots <= 0 then
    update gateway_admission a set next_claim_at = instant + case
      when live_now >= ceiling then interval '1 second' -- the end of a call wakes it sooner
      else make_interval(secs => least(0.25, 1 / rate)) end
    where a.gateway_id = gw.gateway_id;
    return;
  end if;
  batch_slots := least(free_slots, greatest(0, batch_lines));

  with recursive lanes as (
    (select a.lane from call_attempts a
      where a.gateway_id = gw.gateway_id and a.phase = 'queued' order by a.lane limit 1)
    union all
    select (select a.lane from call_attempts a
      where a.gateway_id = gw.gateway_id and a.phase = 'queued' and a.lane > l.lane order by a.lane limit 1)
    from lanes l where l.lane is not null
  ),
  live_lanes as (
    select a.lane, count(*)::integer as live from call_attempts a
    where a.gateway_id = gw.gateway_id and a.phase in ('claimed', 'dialing', 'ringing', 'answered')
    group by a.lane
  ),
  open_lanes as (
    select l.lane, coalesce(v.live, 0) as live, b.priorities, 10 - b.priority as weight,
      coalesce((gw.lane_turns ->> l.lane)::double precision, 0) as ahead, b.pre_dial is not null as asks,
      least(case l.lane when '' then free_slots else batch_slots end, b.max_concurrent_calls - coalesce(v.live, 0), r.room)
        as slots, r.again_at
    from lanes l
    left join live_lanes v on v.lane = l.lane
    left join batches b on b.id = l.lane
    left join agents g on g.id = b.agent_id
    left join lateral number_room(gw.gateway_id, l.lane, instant) r on gw.counts_numbers
    where l.lane = '' or (b.status = 'running' and not b.paused and not b.window_moving and g.status = 'active'
      and (b.variants is null or are_variants_active(b.variants))
      and (not needs_grants or b.phone_numbers is not null or is_granted(b.account_id, 'number', b.from_number))
      and not ((b.stop_at is not null or b.stop_after_answered is not null or b.max_cost is not null)
        and holds_for_stop(b.account_id, b.id, b.stop_at, b.stop_after_answered, b.max_cost, instant)))
  ),
  offered as (
    select q.call_id, q.number, q.to_number, q.account_id, q.turn, o.lane, o.live, o.weight, o.ahead
    from open_lanes o
    cross join lateral (
      select x.*, row_number() over (order by x.priority, x.due_at, x.position) as turn
      from (
        (select a.call_id, a.number, a.to_number, a.account_id, 5::smallint as priority, a.due_at, a.position
        from call_attempts a
        where a.gateway_id = gw.gateway_id and a.lane = o.lane and a.phase = 'queued'
          and a.due_at <= instant and a.not_after > instant
          and not o.asks
          -- What was queued before the batch had priorities has none.
          and (o.priorities is null or a.priority is null)
          -- Single calls of one gateway may be made from several numbers; a batch has one, which was judged above.
          and (not needs_grants or o.lane <> '' or exists (
            select 1 from calls c where c.id = a.call_id and is_granted(c.account_id, 'number', c.from_number)))
          and (not gw.counts_numbers or o.lane <> '' or not exists (
            select 1 from calls c join counted_numbers n on n.account_id = c.account_id and n.e164 = c.from_number
            where c.id = a.call_id and number_free_at(n, instant) > instant))
        order by a.due_at, a.position
        limit o.slots)
        union all
        select p.* from unnest(o.priorities) as r (priority)
        cross join lateral (
          select a.call_id, a.number, a.to_number, a.account_id, a.priority, a.due_at, a.position
          from call_attempts a
          where a.gateway_id = gw.gateway_id and a.lane = o.lane and a.phase = 'queued' and a.priority = r.priority
            and a.due_at <= instant and a.not_after > instant
          order by a.due_at, a.position
          limit o.slots
        ) p
        where not o.asks
        union all
        (select a.call_id, a.number, a.to_number, a.account_id,
          case when o.priorities is null then 5::smallint else coalesce(a.priority, 5::smallint) end, a.due_at, a.position
        from pre_dial_answers w
        join call_attempts a on a.call_id = w.call_id and a.number = w.number
        where o.asks and w.batch_id = o.lane and w.gateway_id = gw.gateway_id and w.cleared and w.holds_until > instant
          and a.gateway_id || '' = gw.gateway_id and a.phase || '' = 'queued'
          and a.due_at <= instant and a.not_after > instant
        order by 5, a.due_at, a.position
        limit o.slots)
      ) x
      order by turn
      limit o.slots
    ) q
    where o.slots > 0
  ),
  -- Batches that could take lines now: their live calls, and the most that they would have.
  rivals as (
    select f.lane, f.live, f.weight, count(*) as offers,
      case when count(*) < batch_slots then f.live + count(*) else 1e9 end::double precision as most
    from offered f where f.lane <> '' group by f.lane, f.live, f.weight
  ),
  share as (
    select case when count(*) > 1 then
      share_by_weight(array_agg(r.most), array_agg(r.weight), least(ceiling - live_now, batch_lines) + sum(r.live)) end as lines_per_weight
    from rivals r
  ),
  candidates as (
    select f.*,
      row_number() over (order by f.lane <> '', k.is_over,
        case when k.is_over then (f.live + f.turn)::double precision / f.weight
          else f.ahead + (f.turn - 1)::double precision / f.weight end,
        f.lane <= gw.last_lane, f.lane, f.turn) as place
    from offered f
    cross join share s
    cross join lateral (select f.live + f.turn > ceil(f.weight * s.lines_per_weight - 1e-9) as is_over) k
    order by place
    -- Single calls come first.
    limit least(free_slots, batch_slots + (select count(*) from offered f where f.lane = ''))
  ),
  judged as (
    select c.*,
      row_number() over (partition by c.to_number order by c.place) > 1
        or exists (
          select 1 from call_attempts x
          where x.account_id = c.account_id and x.to_number = c.to_number
            and x.phase in ('claimed', 'dialing', 'ringing', 'answered')
        ) as clashes
    from candidates c
  )
  select
    array_agg(j.call_id order by j.place) filter (where not j.clashes),
    array_agg(j.number order by j.place) filter (where not j.clashes),
    array_agg(j.call_id) filter (where j.clashes),
    array_agg(j.number) filter (where j.clashes),
    (array_agg(j.lane order by j.place desc) filter (where not j.clashes))[1],
    -- The next retry that falls due in a batch that may dial; what is due already was taken or has to wait its turn.
    (select min((select min(a.due_at) from call_attempts a
      where a.gateway_id = gw.gateway_id and a.lane = o.lane and a.phase = 'queued' and a.due_at > instant))
     from open_lanes o),
    -- What waits for its number is looked at again when that may call.
    case when gw.counts_numbers then (
      select min(case o.lane when '' then single_numbers_again_at(gw.gateway_id, instant) else o.again_at end)
      from open_lanes o
      where exists (select 1 from call_attempts a
        where a.gateway_id = gw.gateway_id and a.lane = o.lane and a.phase = 'queued' and a.due_at <= instant)) end,
    (select array_agg(o.lane order by o.lane) from open_lanes o where o.asks and o.slots > 0),
    (select array_agg(o.slots order by o.lane) from open_lanes o where o.asks and o.slots > 0),
    (select jsonb_object_agg(r.lane, json_build_array(r.weight, r.offers)) from rivals r having count(*) > 1),
    batch_slots = 0 and exists (
      select 1 from open_lanes o
      where o.lane <> '' and exists (select 1 from call_attempts a
        where a.gateway_id = gw.gateway_id and a.lane = o.lane and a.phase = 'queued' and a.due_at <= instant))
  into ids, numbers, clashes, clash_numbers, served, next_due, number_due, asking, asking_slots, rivals, held_back
  from judged j;
  next_due := least(next_due, number_due);
  -- The end of a call wakes it sooner; lines that a carrier has taken come back by the clock.
  if held_back then next_due := least(next_due, instant + interval '1 second'); end if;

  -- Of a batch with several numbers, what has none now waits for one (04-choose-callers.sql).
  if gw.counts_numbers and ids is not null then
    select array_agg(k.call_id order by k.place) filter (where k.wait_until is null),
      array_agg(k.number order by k.place) filter (where k.wait_until is null),
      array_agg(k.chosen order by k.place) filter (where k.wait_until is null),
      array_agg(k.call_id) filter (where k.wait_until is not null), array_agg(k.number) filter (where k.wait_until is not null),
      array_agg(k.wait_until) filter (where k.wait_until is not null), least(next_due, min(k.wait_until))
    into ids, numbers, callers, put_off, put_off_numbers, put_off_until, next_due
    from choose_callers(gw.gateway_id, ids, numbers, instant) k;
    update call_attempts a set due_at = z.until, reason = 'number'
    from unnest(put_off, put_off_numbers, put_off_until) as z (call_id, number, until)
    where a.call_id = z.call_id and a.number = z.number and a.phase = 'queued' and a.due_at <= instant;
  end if;

  -- This person is on another call already: tried again later, so that the head of the queue moves on.
  if clashes is not null then
    update call_attempts a set due_at = instant + interval '2 seconds'
    from unnest(clashes, clash_numbers) as z (call_id, number)
    where a.call_id = z.call_id and a.number = z.number and a.phase = 'queued' and a.due_at <= instant;
    next_due := least(next_due, instant + interval '2 seconds');
  end if;

  if ids is not null then
    begin
      with claimed as (
        update call_attempts a
        set phase = 'claimed', claimed_by = p_process, claimed_at = instant, dial_at = null, dialed_at = null,
          ringing_at = null, answered_at = null, hang_up_at = null, hang_up_reason = null,
          caller = z.caller
        from unnest(ids, numbers, callers) as z (call_id, number, caller)
        where a.call_id = z.call_id and a.number = z.number and a.phase = 'queued' and a.due_at <= instant
        returning a.call_id, a.number, a.claim_id, a.lane
      )
      select array_agg(c.call_id), array_agg(c.number), array_agg(c.claim_id), array_agg(c.lane), count(*)
      into ids, numbers, claims, lanes_taken, taken from claimed c;
    exception when unique_violation or deadlock_detected then
      -- A dialer on another gateway took the same person in this very moment (one_live_attempt_per_number); or two people,
      -- in the other order.
      update gateway_admission a set next_claim_at = instant + interval '20 milliseconds'
      where a.gateway_id = gw.gateway_id;
      return;
    end;
  end if;

  update gateway_admission a set
    next_claim_at = case
      when taken + coalesce(cardinality(clashes), 0) >= least(free_slots, nullif(batch_slots, 0)) then instant + make_interval(secs => least(0.25, greatest(0.1, 0.5 / rate)))
      else coalesce(next_due, 'infinity') end,
    last_lane = coalesce(served, a.last_lane),
    lane_turns = case when rivals is null then a.lane_turns
      else lane_turns_after(a.lane_turns, rivals, lanes_taken, batch_slots) end,
    -- One probe at a time: the next only when this one has ended, or was lost.
    probe_at = case when gw.suspended_since is not null and taken > 0 then instant + interval '10 seconds'
      else a.probe_at end
  where a.gateway_id = gw.gateway_id;

  if asking is not null then
    perform want_pre_dial_answers(gw.gateway_id, gw.account_id, asking, asking_slots, instant);
  end if;

  return query select z.call_id, z.number, z.claim_id from unnest(ids, numbers, claims) as z (call_id, number, claim_id);
end $$;

-- Whether an endpoint of the client has cleared an attempt, and its answer still holds.
create or replace function pre_dial_cleared(p_call uuid, p_number smallint, p_instant timestamptz) returns boolean
language sql stable as $$
  select exists (
    select 1 from pre_dial_answers w
    where w.call_id = p_call and w.number = p_number and w.cleared and w.holds_until > p_instant)
$$;

-- Has the endpoints of these queues asked, if less than half of what may be asked ahead is under way or cleared. `p_slots`: how
-- many calls each may make now; five times as many are asked about, so that answers are there while calls leave.
--
-- Nothing waits here for a row that a dialer has locked to ask: its answer brings the next claim, which comes here again.
create or replace function want_pre_dial_answers(
  p_gateway text, p_account text, p_lanes text[], p_slots integer[], p_instant timestamptz) returns void
language plpgsql as $$
declare
  lane record;
  found_one boolean := false;
begin
  for lane in
    select z.lane, least(500, greatest(10, 5 * z.slots)) as ahead
    from unnest(p_lanes, p_slots) as z (lane, slots)
    where exists (
      select 1 from call_attempts a
      where a.gateway_id = p_gateway and a.lane = z.lane and a.phase = 'queued'
        and a.due_at <= p_instant and a.not_after > p_instant)
    order by z.lane
  loop
    continue when 2 * (
      select count(*) from (
        select 1 from pre_dial_answers w
        where w.batch_id = lane.lane and w.gateway_id = p_gateway and w.holds_until > p_instant
          and exists (
            select 1 from call_attempts a
            where a.call_id = w.call_id and a.number = w.number and a.phase || '' = 'queued')
        limit lane.ahead) x) >= lane.ahead;
    insert into pre_dial_lanes (batch_id, gateway_id, account_id, ask_at, ahead)
    values (lane.lane, p_gateway, p_account, p_instant, lane.ahead)
    on conflict (batch_id, gateway_id) do nothing;
    if found then found_one := true; continue; end if;
    update pre_dial_lanes l set ask_at = p_instant, ahead = lane.ahead
    where (l.batch_id, l.gateway_id) in (
      select x.batch_id, x.gateway_id from pre_dial_lanes x
      where x.batch_id = lane.lane and x.gateway_id = p_gateway and x.ask_at = 'infinity'
      for update skip locked);
    if found then found_one := true; end if;
  end loop;
  if found_one then perform pg_notify('outdial_pre_dial', ''); end if;
end $$;

-- Gives the INVITE to the target of a warm transfer its turn on a gateway, as claim and pace give it to an attempt: a line, under
-- the lock by which claims count lines, and a slot, among those of pace_attempts. The line is kept with the transfer.
--
-- dial_in_ms: how long until its slot; it may leave up to p_patience_ms later. wait: `line` if every line is taken, `slot` if the next
-- one is more than five seconds away, `suspended`; then nothing was taken.
drop function if exists pace_transfer;
create function pace_transfer(p_transfer bigint, p_gateway text, p_patience_ms double precision default 250)
returns table (dial_in_ms double precision, wait text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  gw record;
  instant timestamptz;
  patience constant double precision := least(5, greatest(0, p_patience_ms / 1000));
  late interval := interval '0';
  rate double precision;
  span double precision;
  first_slot timestamptz;
  taken integer;
begin
  select a.*, g.calls_per_second, g.max_concurrent_calls into gw
  from gateway_admission a join gateways g on g.id = a.gateway_id
  where a.gateway_id = p_gateway
  for no key update of a;
  if not found or gw.suspended_since is not null then
    return query select null::double precision, 'suspended';
    return;
  end if;

  instant := clock_timestamp();
  -- A line that it was given by a process that died is its own.
  if not exists (select 1 from call_transfers t where t.id = p_transfer and t.gateway_line = p_gateway) then
    select count(*) + transfer_lines_of(p_gateway) into taken
    from call_attempts a where a.gateway_id = p_gateway and a.phase in ('claimed', 'dialing', 'ringing', 'answered');
    if taken >= gateway_ceiling(gw.max_concurrent_calls, gw.concurrency_cap, gw.concurrency_changed_at, instant)
      or account_slots(gw.account_id) <= 0 then
      return query select null::double precision, 'line';
      return;
    end if;
  end if;

  if patience >= gw.slot_patience or gw.slot_patience_at < instant - interval '10 seconds' then
    late := make_interval(secs => greatest(0, gw.slot_patience - patience));
    gw.slot_patience := patience;
    gw.slot_patience_at := instant;
  end if;
  rate := gateway_rate(gw.calls_per_second, gw.pace, gw.pace_changed_at, instant);
  span := greatest(1, 1 / rate);
  first_slot := greatest(gw.next_dial_at + late, instant);
  if first_slot > instant + interval '5 seconds' then
    return query select null::double precision, 'slot';
    return;
  end if;
  update call_transfers t set gateway_line = p_gateway where t.id = p_transfer and t.status = 'held';
  if not found then return; end if;
  update gateway_admission a
  set next_dial_at = first_slot + make_interval(secs => (span + gw.slot_patience) / (rate * span)),
    slot_patience = gw.slot_patience, slot_patience_at = gw.slot_patience_at
  where a.gateway_id = p_gateway;
  return query select extract(epoch from first_slot - instant)::double precision * 1000, null::text;
end $$;

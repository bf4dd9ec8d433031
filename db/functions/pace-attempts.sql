-- Gives each claimed and prepared attempt of one gateway its slot, `dial_at` (GCRA), so that the carrier sees a smooth stream
-- however many dialers there are and however long preparing took. Slots lie at most 250 ms ahead; for an attempt that
-- gets none, it returns after how many milliseconds to ask again.
--
-- An INVITE leaves at its slot or up to its dialer's patience later, never before and never after: the gate and the dialer
-- see to that (db/functions/gate-attempts.sql, dialer/gating.ts). So of a gateway that takes n calls a second the slots are
-- (1 s + patience) / n apart: two INVITEs that are n slots apart leave a second apart or more, even if the first is as late
-- as it may be and the second in time. Below one call a second the same holds for the 1/n seconds between two calls.
-- Dialers may differ in their patience: the longest of the last ten seconds is in force for all of a gateway. When it goes
-- down, the slots that were given with the longer one are waited for.
--
-- p_claims: under which claim each is held; an attempt that is held under another one, or by another process, gets no slot.
-- Dialers from before claims had ids ask without.
--
-- p_lead_ms: how long it takes the dialer to ask and be answered. Its slots lie at least so far ahead, or it would come to
-- the gate too late for each.
--
-- `phase || ''`: as in gate-attempts.sql.
--
-- p_patience_ms: how late after its slot this dialer lets an INVITE leave. Dialers of earlier versions omit it.
drop function if exists pace_attempts;
create function pace_attempts(
  p_process uuid, p_gateway text, p_calls uuid[], p_numbers smallint[], p_claims uuid[] default null,
  p_lead_ms double precision default 0, p_patience_ms double precision default 270)
returns table (
  paced_call_id uuid, paced_number smallint, dial_in_ms double precision, ask_again_in_ms double precision,
  paced_claim_id uuid)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  gw record;
  instant timestamptz;
  gap interval;
  lead constant interval := make_interval(secs => least(5, greatest(0, p_lead_ms / 1000)));
  horizon constant interval := interval '250 milliseconds' + lead;
  patience constant double precision := least(5, greatest(0, p_patience_ms / 1000));
  rate double precision;
  span double precision;
  wait interval := interval '0';
  first_slot timestamptz;
  slots integer;
begin
  select a.next_dial_at, a.pace, a.pace_changed_at, a.slot_patience, a.slot_patience_at, g.calls_per_second into gw
  from gateway_admission a join gateways g on g.id = a.gateway_id
  where a.gateway_id = p_gateway
  for no key update of a;

  instant := clock_timestamp();
  if patience >= gw.slot_patience or gw.slot_patience_at < instant - interval '10 seconds' then
    wait := make_interval(secs => greatest(0, gw.slot_patience - patience));
    gw.slot_patience := patience;
    gw.slot_patience_at := instant;
  end if;
  rate := gateway_rate(gw.calls_per_second, gw.pace, gw.pace_changed_at, instant);
  span := greatest(1, 1 / rate);
  gap := make_interval(secs => (span + gw.slot_patience) / (rate * span));
  first_slot := greatest(gw.next_dial_at + wait, instant + lead);
  slots := least(
    cardinality(p_calls),
    greatest(0, 1 + floor(extract(epoch from instant + horizon - first_slot) / extract(epoch from gap))::integer));

  return query
    with wanted as (
      select z.call_id, z.number, z.claim_id, z.place
      from unnest(p_calls, p_numbers, p_claims) with ordinality as z (call_id, number, claim_id, place)
    ),
    slotted as (
      update call_attempts a set dial_at = first_slot + (w.place - 1) * gap
      from wanted w
      where w.place <= slots and a.call_id = w.call_id and a.number = w.number
        and a.phase || '' = 'claimed' and a.claimed_by = p_process and (p_claims is null or a.claim_id = w.claim_id)
      returning a.call_id, a.number, a.claim_id, a.dial_at
    )
    select w.call_id, w.number,
      extract(epoch from s.dial_at - instant)::double precision * 1000,
      case when w.place <= slots then null
        else extract(epoch from first_slot + (w.place - 1) * gap - horizon - instant)::double precision * 1000 end,
      w.claim_id
    from wanted w left join slotted s on s.call_id = w.call_id and s.number = w.number
      and (p_claims is null or s.claim_id = w.claim_id);

  update gateway_admission a
  set next_dial_at = first_slot + slots * gap, slot_patience = gw.slot_patience, slot_patience_at = gw.slot_patience_at
  where a.gateway_id = p_gateway;
end $$;

-- The last check before the INVITE: claimed → dialing, for attempts that may be dialed at this moment. Without a row that passed
-- there is no INVITE. It is committed before anything is sent, so a crash leaves `dialing`, which is never dialed blindly.
--
-- The batches are share-locked first: a cancel or pause that has been answered has waited for every gate before it and is
-- seen by every gate after it. What holds for a whole account (dialing stopped, do-not-call list, guardrails) is changed
-- under a lock that every gate shares, for the same reason. Locks are taken in the common order: batches, calls by id, attempts.
--
-- A number with limits of its own is counted here, under a lock of its row: an INVITE is counted when it is let out, and takes the
-- time until it must have left, which is at most twice the patience after its slot. An INVITE that is never sent gives both back
-- (db/queries/dialer/uncount-dials.ts).
--
-- p_guardrails: revision of the guardrails by which each was judged; p_until: end of the calling hours that it was judged
-- to lie in. p_claims: under which claim each is held; dialers from before claims had ids ask without. p_patience_ms: how late
-- after its slot each may leave; none passes later. Those that pass are told in `late_ms` how late they are already: the
-- dialer adds the time that the answer takes. Dialers of earlier versions ask without. `closes_in_ms` says in how many
-- milliseconds window, calling hours or the batch end, null if they do not: by then the INVITE has left, or it does not.
--
-- A batch that stops after so many answers is locked by whoever commits one, before it is written: gates wait for that commit
-- and count it.
--
-- p_gateways: `gateway_version` of the gateway that each INVITE was made from. If the operator asks for grants, what is judged
-- here has to be what is sent: an attempt whose gateway has changed since goes back, and its INVITE is built again.
--
-- p_callers: the number that each INVITE was made from. Dialers of earlier versions ask without, and know only the call's own.
--
-- The update itself asks again whether the claim is still the one that was judged, because others may take it away in
-- between; and each claim passes once, however often it is asked for.
--
-- `phase || ''` has attempts found by their key: the planner takes the indexes of live attempts for nearly empty if few were
-- live when the table was last analyzed, and would read all of them.
drop function if exists gate_attempts;
create function gate_attempts(
  p_process uuid, p_calls uuid[], p_numbers smallint[], p_invites smallint[], p_rooms text[],
  p_guardrails bigint[], p_until timestamptz[], p_claims uuid[] default null, p_gateways text[] default null,
  p_patience_ms double precision[] default null, p_callers text[] default null)
returns table (
  gated_call_id uuid, gated_number smallint, passed boolean, refusal text, gated_claim_id uuid, late_ms double precision,
  closes_in_ms double precision)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  instant timestamptz;
  alive boolean;
  counted boolean;
  spent uuid[] := '{}';
  needs_grants constant boolean := grants_required();
begin
  perform share_dialing_lock(t.account_id)
    from (select distinct c.account_id from calls c where c.id = any (p_calls) order by 1) t;
  perform 1 from batches b
    where b.id in (select c.batch_id from calls c where c.id = any (p_calls))
    order by b.id for share;
  select bool_or(n.number_id is not null) into counted
    from (select c.account_id, c.from_number from calls c where c.id = any (p_calls) order by c.id for no key update) c
    left join counted_numbers n on n.account_id = c.account_id and n.e164 = c.from_number;
  if counted then
    perform 1 from counted_numbers n
      where (n.account_id, n.e164) in (
        select c.account_id, coalesce(a.caller, c.from_number)
        from unnest(p_calls, p_numbers) as z (call_id, number)
        join calls c on c.id = z.call_id
        left join call_attempts a on a.call_id = z.call_id and a.number = z.number)
      order by n.number_id for no key update;
  end if;

  instant := clock_timestamp();
  if counted then
    select coalesce(array_agg(w.claim_id), '{}') into spent
    from (
      select a.claim_id, row_number() over (partition by n.number_id order by z.place) as turn,
        calls_left_of_number(n, instant) as left_today, n.min_seconds_between_calls as spacing,
        number_free_at(n, instant) as free_at, n.max_calls_per_day is not null
          and (k.left_by at time zone n.timezone)::date > (instant at time zone n.timezone)::date as past_midnight
      from unnest(p_calls, p_numbers, p_patience_ms) with ordinality as z (call_id, number, patience_ms, place)
      join call_attempts a on a.call_id = z.call_id and a.number = z.number
      join calls c on c.id = z.call_id
      join counted_numbers n on n.account_id = c.account_id and n.e164 = coalesce(a.caller, c.from_number)
      cross join lateral (select left_gate_by(a.dial_at, z.patience_ms, instant) as left_by) k
    ) w
    where w.turn > w.left_today or (w.spacing is not null and w.turn > 1) or w.free_at > instant or w.past_midnight;
  end if;
  select exists (select 1 from dialer_processes p where p.id = p_process and p.lease_until > instant) into alive;

  return query
    with wanted as (
      select distinct on (z.call_id, z.number, z.claim_id) z.*
      from unnest(p_calls, p_numbers, p_invites, p_rooms, p_guardrails, p_until, p_claims, p_gateways, p_patience_ms,
          p_callers)
        as z (call_id, number, invite, room, guardrails, until, claim_id, gateway, patience_ms, caller)
    ),
    judged as (
      select w.*, a.caller as chosen,
        case when c.variant like 'ver\_%' then c.variant else d.version_id end as version_id, c.attempts_made,
        extract(epoch from instant - a.dial_at)::double precision * 1000 as late_ms,
        case when least(a.not_after, w.until, b.stop_at) < 'infinity'
          then extract(epoch from least(a.not_after, w.until, b.stop_at) - instant)::double precision * 1000 end as closes_in_ms,
        case
          when a.call_id is null or not alive or c.settled then 'lost'
          when b.id is not null and (b.status <> 'running' or b.paused or b.window_moving) then 'held'
          when (b.stop_at is not null or b.stop_after_answered is not null or b.max_cost is not null)
            and holds_for_stop(b.account_id, b.id, b.stop_at, b.stop_after_answered, b.max_cost, instant) then 'held'
          when dialing_held_since(t) is not null then 'held'
          -- Claimed before its gateway was suspended; what is claimed since is the probe.
          when a.claimed_at < ga.suspended_since then 'held'
          when needs_grants and (not is_granted(c.account_id, 'number', coalesce(a.caller, c.from_number))
            or ungranted_of_gateway(gw) is not null or gateway_version(gw) <> w.gateway) then 'held'
          -- Its INVITE was made from another number than was chosen.
          when a.caller <> coalesce(w.caller, c.from_number) then 'held'
          -- Its notBefore was changed after it had been claimed.
          when c.attempts_made = 0 and c.not_before > instant then 'held'
          -- Its client's answer has run out, or nobody has asked: the endpoint was set after the claim.
          when b.pre_dial is not null and not pre_dial_cleared(w.call_id, w.number, instant) then 'held'
          when a.not_after <= instant or w.until <= instant then 'window_closed'
          when coalesce(y.revision, 0) <> w.guardrails then 'guardrails_changed'
          when exists (select 1 from do_not_call n where n.account_id = c.account_id and n.e164 = c.to_number)
            then 'do_not_call'
          when d.version_id is null then 'agent_inactive'
          when a.claim_id = any (spent) then 'number_limit'
          when instant < a.dial_at - case when w.patience_ms is null then interval '20 milliseconds' else interval '0' end
            or instant > a.dial_at + make_interval(secs => coalesce(w.patience_ms, 250) / 1000)
            then 'late'
        end as refusal
      from wanted w
      join calls c on c.id = w.call_id
      join accounts t on t.id = c.account_id
      left join call_attempts a on a.call_id = w.call_id and a.number = w.number
        and a.phase || '' = 'claimed' and a.claimed_by = p_process and a.invite = w.invite - 1 and a.dial_at is not null
        and (p_claims is null or a.claim_id = w.claim_id)
      left join gateway_admission ga on ga.gateway_id = a.gateway_id
      left join gateways gw on needs_grants and gw.id = a.gateway_id
      left join batches b on b.id = c.batch_id
      left join guardrails y on y.account_id = c.account_id
      left join agents g on g.id = c.agent_id and g.status = 'active'
      left join deployments d on d.id = g.deployment_id
    ),
    dialing as (
      update call_attempts a
      set phase = 'dialing', invite = j.invite, room = j.room, version_id = j.version_id, dialed_at = instant,
        left_hint = null -- the disconnect of an earlier INVITE
      from judged j
      where j.refusal is null and a.call_id = j.call_id and a.number = j.number
        and a.phase || '' = 'claimed' and a.claimed_by = p_process and a.invite = j.invite - 1
        and (p_claims is null or a.claim_id = j.claim_id)
      returning a.call_id, a.number
    ),
    shown as (
      update calls c
      set status = 'dialing', room_id = own_room(c.account_id, j.room), version_id = j.version_id, next_attempt_at = null,
        from_number = coalesce(j.chosen, c.from_number),
        updated_at = instant
      from dialing d join judged j on j.call_id = d.call_id and j.number = d.number and j.refusal is null
      where c.id = d.call_id
    )
    select j.call_id, j.number, d.call_id is not null,
      case when d.call_id is null then coalesce(j.refusal, 'lost') end, j.claim_id, j.late_ms,
      j.closes_in_ms
    from judged j left join dialing d on j.refusal is null and d.call_id = j.call_id and d.number = j.number;

  -- In the order of the gateways, so that two gates over the same ones cannot deadlock.
  insert into recent_dials as r (gateway_id, at, slot, dials)
  select a.gateway_id, date_bin('5 seconds', instant, 'epoch'), pg_backend_pid() % 8, count(*)
  from unnest(p_calls, p_numbers) as z (call_id, number)
  join call_attempts a on a.call_id = z.call_id and a.number = z.number
  where a.phase || '' = 'dialing' and a.dialed_at = instant
  group by a.gateway_id order by a.gateway_id
  on conflict (gateway_id, at, slot) do update set dials = r.dials + excluded.dials;

  if counted then
    update counted_numbers n
    set calls = case when n.day = (instant at time zone n.timezone)::date then n.calls else 0 end + d.dials,
      day = (instant at time zone n.timezone)::date, last_call_by = greatest(n.last_call_by, d.left_by),
      last_call_id = d.call_id, last_call_before = n.last_call_by
    from (
      select c.account_id, c.from_number, count(*)::integer as dials,
        case when count(*) = 1 then (array_agg(c.id))[1] end as call_id,
        max(left_gate_by(a.dial_at, z.patience_ms, instant)) as left_by
      from unnest(p_calls, p_numbers, p_patience_ms) as z (call_id, number, patience_ms)
      join call_attempts a on a.call_id = z.call_id and a.number = z.number
      join calls c on c.id = a.call_id
      where a.phase || '' = 'dialing' and a.dialed_at = instant
      group by c.account_id, c.from_number
    ) d
    where n.account_id = d.account_id and n.e164 = d.from_number;
  end if;

  perform announce_attempts(p_calls, p_numbers);
end $$;

-- The limits of single numbers, as claim, gate and answers of the API read them. A day begins at midnight by the number's own clock.
drop function if exists number_free_at(counted_numbers, timestamptz);
drop function if exists calls_left_of_number(counted_numbers, timestamptz);

-- How many more calls a number makes on the day of this instant; null: as many as it likes.
create function calls_left_of_number(n counted_numbers, p_at timestamptz) returns integer language sql stable as $$
  select n.max_calls_per_day - case when n.day = (p_at at time zone n.timezone)::date then n.calls else 0 end
$$;

-- The first instant of a day by the clocks of a zone. Of a midnight that comes twice PostgreSQL takes the second one.
create or replace function start_of_day(p_day date, p_zone text) returns timestamptz language sql stable as $$
  select case when ((m - interval '1 hour') at time zone p_zone)::date = p_day then m - interval '1 hour' else m end
  from (select p_day::timestamp at time zone p_zone as m) midnight
$$;

-- When a number may call, at this instant or later, by what has been counted.
create function number_free_at(n counted_numbers, p_at timestamptz) returns timestamptz language sql stable as $$
  select greatest(p_at, n.last_call_by + make_interval(secs => n.min_seconds_between_calls),
    case when calls_left_of_number(n, p_at) <= 0
      then start_of_day((p_at at time zone n.timezone)::date + 1, n.timezone) end)
$$;

-- How many more calls the numbers of a batch take at this instant, beside those that are claimed already; null: they have no limits.
-- `again_at`: when to look again once that many have been claimed.
drop function if exists number_room(text, text, timestamptz);
create function number_room(p_gateway text, p_lane text, p_at timestamptz)
returns table (room integer, again_at timestamptz) language sql stable as $$
  select case when bool_and(r.room is not null) then sum(r.room)::integer end,
    min(case when r.free_at > p_at then r.free_at else p_at + interval '150 milliseconds' end) filter (where r.room is not null)
  from (
    select number_free_at(n, p_at) as free_at, case when n.max_calls_per_day is not null or n.min_seconds_between_calls is not null
      then greatest(0, least(calls_left_of_number(n, p_at) - k.claimed, case when n.min_seconds_between_calls is not null
        then case when number_free_at(n, p_at) <= p_at then 1 - k.claimed else 0 end end)) end as room
    from batches b
    join counted_numbers n on n.account_id = b.account_id and n.e164 = any (coalesce(b.phone_numbers, array[b.from_number]))
    cross join lateral (
      select count(*)::integer as claimed from call_attempts a join calls c on c.id = a.call_id
      where a.gateway_id = p_gateway and a.phase = 'claimed' and c.account_id = n.account_id
        and coalesce(a.caller, c.from_number) = n.e164) k
    where b.id = p_lane
  ) r
$$;

-- The same of the numbers that single calls in the queue of a gateway are made from: when to look again.
drop function if exists single_numbers_again_at(text, timestamptz);
create function single_numbers_again_at(p_gateway text, p_at timestamptz) returns timestamptz language sql stable as $$
  select min(case when number_free_at(n, p_at) > p_at then number_free_at(n, p_at) else p_at + interval '150 milliseconds' end)
  from number_gateways l join counted_numbers n on n.number_id = l.number_id
  where l.gateway_id = p_gateway and l.direction = 'outbound'
    and (n.max_calls_per_day is not null or n.min_seconds_between_calls is not null)
$$;

-- When an INVITE that the gate lets out now has left, or never will: the dialer has the gate take half of its patience at least.
drop function if exists left_gate_by(timestamptz, double precision, timestamptz);
create function left_gate_by(p_slot timestamptz, p_patience_ms double precision, p_at timestamptz) returns timestamptz
language sql immutable as $$
  select greatest(p_at, p_slot + make_interval(secs => 2 * coalesce(p_patience_ms, 250) / 1000))
$$;

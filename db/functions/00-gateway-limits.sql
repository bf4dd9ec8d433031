-- Calls per second in force: the gateway's own, times the pace that a throttling carrier left, a tenth more every 10 s.
create or replace function gateway_rate(
  calls_per_second double precision, pace double precision, pace_changed_at timestamptz, instant timestamptz)
returns double precision language sql immutable as $$
  select calls_per_second * least(1, pace + 0.1 * floor(extract(epoch from instant - pace_changed_at) / 10))
$$;

-- Concurrent calls in force: the gateway's own, or what a carrier short of channels left, one more every minute.
create or replace function gateway_ceiling(
  max_concurrent_calls integer, concurrency_cap integer, concurrency_changed_at timestamptz, instant timestamptz)
returns integer language sql immutable as $$
  select least(max_concurrent_calls,
    coalesce(concurrency_cap + floor(extract(epoch from instant - concurrency_changed_at) / 60)::integer,
      max_concurrent_calls))
$$;

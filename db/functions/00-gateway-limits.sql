-- A limit that the operator sets above all accounts; null if there is none. Each connection sets them (`openDatabase` in
-- db/client.ts), so that the environment of a process holds in each of its statements.
create or replace function operator_limit(name text) returns jsonb language sql stable parallel safe as $$
  select nullif(nullif(current_setting('outdial.operator_limits', true), '')::jsonb -> name, 'null')
$$;

-- Calls per second in force: the gateway's own, times the pace that a throttling carrier left, a tenth more every 10 s.
create or replace function gateway_rate(
  calls_per_second double precision, pace double precision, pace_changed_at timestamptz, instant timestamptz)
returns double precision language sql stable as $$
  select least(calls_per_second, operator_limit('maxCallsPerSecond')::double precision)
    * least(1, pace + 0.1 * floor(extract(epoch from instant - pace_changed_at) / 10))
$$;

-- Concurrent calls in force: the gateway's own, or what a carrier short of channels left, one more every minute.
create or replace function gateway_ceiling(
  max_concurrent_calls integer, concurrency_cap integer, concurrency_changed_at timestamptz, instant timestamptz)
returns integer language sql stable as $$
  select least(max_concurrent_calls, operator_limit('maxConcurrentCalls')::integer,
    coalesce(concurrency_cap + floor(extract(epoch from instant - concurrency_changed_at) / 60)::integer,
      max_concurrent_calls))
$$;

-- Lines that batches leave free. One is theirs in any case: the limit of a gateway may have been lowered below what it keeps back,
-- by the operator or by a process of a version that knew no such lines.
create or replace function gateway_reserve(reserved_calls integer, max_concurrent_calls integer) returns integer
language sql stable as $$
  select greatest(0, least(reserved_calls, least(max_concurrent_calls, operator_limit('maxConcurrentCalls')::integer) - 1))
$$;

-- Lines of a gateway that the targets of warm transfers take, beside those of its calls.
create or replace function transfer_lines_of(p_gateway text) returns integer language sql stable as $$
  select count(*)::integer from call_transfers t where t.gateway_line = p_gateway
$$;

-- Outbound calls of an account that are live, and its targets of warm transfers, as the operator limits them.
create or replace function live_calls_of_account(p_account text) returns integer language sql as $$
  select (select count(*) from call_attempts a join calls c on c.id = a.call_id and c.type = 'outbound'
      where a.account_id = p_account and a.phase in ('claimed', 'dialing', 'ringing', 'answered'))::integer
    + (select count(*) from call_transfers t where t.gateway_line is not null and t.account_id = p_account)::integer
$$;

-- How many more live calls an account may have by the operator's limit; null if there is none. Claims of one account on
-- several gateways wait for each other here: each counts what the one before it has taken.
create or replace function account_slots(p_account text) returns integer language plpgsql as $$
declare
  most integer := operator_limit('maxConcurrentCallsPerAccount')::integer;
begin
  if most is null then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended('live calls ' || p_account, 0));
  return most - live_calls_of_account(p_account);
end $$;

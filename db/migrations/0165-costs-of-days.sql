-- What calls of an account have cost, day by day (UTC), inbound ones included, from this migration on.
alter table usage_days
  -- Millionths of the currency
  add column cost bigint not null default 0,
  -- Answered attempts that no price fitted
  add column unpriced bigint not null default 0;

-- Whatever adds to the cost of an attempt: its end, its models, the leg of a transfer. An account without prices never comes here.
create function count_cost() returns trigger language plpgsql as $$
begin
  insert into usage_days as u (account_id, day, backend, cost, unpriced)
  values (new.account_id, (clock_timestamp() at time zone 'UTC')::date, pg_backend_pid(),
    coalesce(new.cost, 0) - coalesce(old.cost, 0),
    coalesce(new.unpriced, false)::integer - coalesce(old.unpriced, false)::integer)
  on conflict (account_id, day, backend) do update set cost = u.cost + excluded.cost, unpriced = u.unpriced + excluded.unpriced;
  return null;
end $$;
create trigger cost_is_counted after update on call_attempts
  for each row when (new.cost is distinct from old.cost or new.unpriced is distinct from old.unpriced)
  execute function count_cost();

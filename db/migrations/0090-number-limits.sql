-- Limits of single numbers: calls a day and seconds between two calls, over everything that calls from them. The gate counts here
-- (db/functions/gate-attempts.sql) under a lock of the row. Numbers without limits have no row, and cost nothing.
create table counted_numbers (
  number_id text primary key references phone_numbers on delete cascade,
  account_id text not null,
  e164 text not null,
  max_calls_per_day integer check (max_calls_per_day > 0),
  min_seconds_between_calls integer check (min_seconds_between_calls > 0),
  -- Whose midnight begins a day of the number
  timezone text not null,
  -- The INVITEs that the gate let out on this day
  day date not null,
  calls integer not null default 0 check (calls >= 0),
  -- By then the latest INVITE had left, or never does
  last_call_by timestamptz not null default '-infinity',
  unique (account_id, e164)
) with (fillfactor = 50);

-- Whether a number of the gateway is counted: others cost the claim no look at the table.
alter table gateway_admission add column counts_numbers boolean not null default false;

create function gateways_count_numbers() returns trigger language plpgsql as $$
begin
  update gateway_admission a set counts_numbers = true
  from number_gateways l join counted_numbers n on n.number_id = l.number_id
  where l.number_id = new.number_id and l.direction = 'outbound' and a.gateway_id = l.gateway_id and not a.counts_numbers;
  return null;
end $$;
create trigger gateways_learn_of_counted_numbers after insert on counted_numbers
  for each row execute function gateways_count_numbers();
create trigger gateways_learn_of_their_numbers after insert or update on number_gateways
  for each row when (new.direction = 'outbound') execute function gateways_count_numbers();

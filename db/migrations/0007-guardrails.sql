-- Guardrails of an account, erasure of a person, and the share of answered calls that no agent took.

-- What no batch and no call of the account exceeds. Without a row the defaults hold.
create table guardrails (
  account_id text primary key references accounts,
  -- Counts the changes: the gate lets through only what was judged by the guardrails in force.
  revision bigint not null default 1,
  -- {from, until, daysOfWeek} by each callee's own clock
  calling_hours jsonb,
  max_attempts_per_number_per_day integer check (max_attempts_per_number_per_day between 1 and 100),
  -- ISO 3166-1 alpha-2, and 001 for numbers of no country; null: the countries of the account's own numbers
  allowed_countries text[],
  refuse_premium_rate boolean not null default true,
  refuse_satellite boolean not null default true,
  -- Spoken before the greeting
  disclosure text check (length(disclosure) between 1 and 1000),
  updated_at timestamptz not null default now()
);
create index phone_numbers_by_country on phone_numbers (account_id, country_code);

create index do_not_call_by_age on do_not_call (account_id, created_at desc, e164);

-- Answered calls since the batch started, or was resumed after too many of them had been abandoned; and those.
alter table batch_counters
  add column answered_in_window integer not null default 0,
  add column abandoned_in_window integer not null default 0;

-- ---------------------------------------------------------------------------------------------------- erasure

-- A call of an erased person keeps its place in the counters and nothing that says who it was.
alter table calls
  add column erased_at timestamptz,
  drop constraint calls_to_number_check,
  add constraint calls_to_number_check
    check (to_number ~ '^\+[1-9]\d{6,14}$' or (to_number = 'erased' and erased_at is not null));
create index calls_by_caller on calls (account_id, from_number) where type = 'inbound';
alter table call_attempts add column erased boolean not null default false;

-- Whatever is written to an erased call later on (the end of the leg that was live, its transcript, its summary) leaves
-- nothing behind, and it is not called again.
create function keep_call_erased() returns trigger language plpgsql as $$
begin
  if new.type = 'inbound' then new.from_number := 'erased'; else new.to_number := 'erased'; end if;
  new.metadata := '{}';
  new.participant := null;
  new.options := null;
  new.room_id := null;
  new.time_zones := null;
  new.transcript := null;
  new.summary := null;
  new.summary_error := null;
  new.recording_url := null;
  if new.status in ('pending', 'retrying') then
    new.status := 'cancelled';
    new.reason := 'erased';
    new.next_attempt_at := null;
    new.ended_at := coalesce(new.ended_at, clock_timestamp());
  end if;
  return new;
end $$;
create trigger erased_calls_stay_erased before update on calls
  for each row when (new.erased_at is not null) execute function keep_call_erased();

-- The number of a live attempt keeps anybody else from calling the person meanwhile; it goes when the leg is over.
create function keep_attempt_erased() returns trigger language plpgsql as $$
begin
  if new.phase = 'queued' then
    new.phase := 'ended';
    new.outcome := 'abandoned';
    new.reason := 'erased';
    new.ended_at := clock_timestamp();
  end if;
  new.to_number := 'erased';
  new.room := null;
  new.sip_phrase := null;
  new.next_attempt_at := null;
  return new;
end $$;
create trigger erased_attempts_stay_erased before update on call_attempts
  for each row when (new.erased and new.phase in ('queued', 'ended')) execute function keep_attempt_erased();

-- Digits of the cell, by which a person is found among the rows that were not called.
alter table rejected_rows
  add column digits text generated always as (regexp_replace(value, '[^0-9]', '', 'g')) stored;
create index rejected_rows_by_digits on rejected_rows (account_id, digits);

-- Attempts of the last days whose rows are gone or say no number any more: they still count for attempts per day.
create table forgotten_attempts (
  account_id text not null,
  -- SHA-256 of account and number
  number_hash bytea not null,
  dialed_at timestamptz not null
);
create index forgotten_attempts_by_number on forgotten_attempts (account_id, number_hash, dialed_at);
create index forgotten_attempts_by_age on forgotten_attempts (dialed_at);

create function number_hash(account_id text, e164 text) returns bytea language sql immutable as $$
  select sha256(convert_to(account_id || ' ' || e164, 'UTF8'))
$$;

create function remember_attempt() returns trigger language plpgsql as $$
begin
  if old.dialed_at > now() - interval '3 days' and old.phase not in ('queued', 'claimed') then
    insert into forgotten_attempts (account_id, number_hash, dialed_at)
    values (old.account_id, number_hash(old.account_id, old.to_number), old.dialed_at);
  end if;
  return null;
end $$;
create trigger deleted_attempts_are_remembered after delete on call_attempts
  for each row when (old.dialed_at is not null and not old.erased) execute function remember_attempt();
create trigger erased_attempts_are_remembered after update on call_attempts
  for each row when (old.dialed_at is not null and old.to_number <> 'erased' and new.to_number = 'erased')
  execute function remember_attempt();

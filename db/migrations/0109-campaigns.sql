-- Recurring campaigns: a batch call again and again, from the recipients that were posted since the last one.
create table campaigns (
  id text primary key,
  account_id text not null references accounts,
  name text not null,
  -- Five fields, read in the zone
  cron text not null,
  timezone text not null,
  -- Settings of its batch calls, as POST /v1/batch-calls takes them in JSON
  template jsonb not null,
  paused boolean not null default false,
  -- Counts the changes that Temporal's schedule must hear of
  revision integer not null default 1,
  -- As Temporal's schedule says; null: it has not said yet, or the campaign is paused.
  next_run_at timestamptz,
  -- Recipients that wait for the next run, and the names in their metadata
  waiting integer not null default 0,
  waiting_bytes bigint not null default 0,
  names text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index campaigns_by_account on campaigns (account_id, created_at desc, id desc);

-- Who waits for the next run. A run moves them into its batch call, in one transaction.
create table campaign_recipients (
  campaign_id text not null references campaigns on delete cascade,
  seq bigint generated always as identity,
  account_id text not null,
  -- E.164, by which a person is found who is to be erased
  phone_number text not null,
  -- The client's own id
  recipient_id text,
  -- As it was sent; json keeps the order of the metadata.
  input json not null,
  byte_size integer not null,
  created_at timestamptz not null default now(),
  primary key (campaign_id, seq)
);
create unique index campaign_recipients_by_id on campaign_recipients (campaign_id, recipient_id) where recipient_id is not null;
create index campaign_recipients_by_number on campaign_recipients (account_id, phone_number);
create index campaign_recipients_by_age on campaign_recipients (created_at);

create function count_waiting() returns trigger language plpgsql as $$
begin
  update campaigns c
  set waiting = waiting + n.people, waiting_bytes = waiting_bytes + n.bytes,
    names = case when waiting + n.people = 0 then '{}' else names end
  from (
    select campaign_id, (case tg_op when 'INSERT' then 1 else -1 end) * count(*)::integer as people,
      (case tg_op when 'INSERT' then 1 else -1 end) * sum(byte_size) as bytes
    from changed group by campaign_id order by campaign_id
  ) n
  where c.id = n.campaign_id;
  return null;
end $$;
create trigger new_recipients_are_counted after insert on campaign_recipients
  referencing new table as changed for each statement execute function count_waiting();
create trigger gone_recipients_are_counted after delete on campaign_recipients
  referencing old table as changed for each statement execute function count_waiting();

create table campaign_runs (
  campaign_id text not null references campaigns on delete cascade,
  account_id text not null,
  -- The instant of the schedule, or of the request
  due_at timestamptz not null,
  is_manual boolean not null default false,
  -- asked: a request that no worker has carried out yet
  outcome text not null check (outcome in ('asked', 'made', 'empty', 'failed', 'missed')),
  batch_id text,
  recipients integer not null default 0,
  -- Why it made no batch call
  problem text,
  created_at timestamptz not null default now(),
  primary key (campaign_id, due_at)
);
create index campaign_runs_asked on campaign_runs (created_at) where outcome = 'asked';
create index campaign_runs_by_age on campaign_runs (created_at);

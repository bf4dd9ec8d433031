-- What a batch takes that says nothing of its own; a null is service.md's default.
create table account_defaults (
  account_id text primary key references accounts (id) on delete cascade,
  timezone text,
  -- ISO 3166-1 alpha-2: whose national numbers a file may hold
  country text,
  calling_window jsonb,
  unfilled_placeholders text check (unfilled_placeholders in ('allow', 'reject')),
  updated_at timestamptz not null default clock_timestamp()
);

-- What is done about a placeholder of the agent that stays empty, and whose national numbers the file may hold.
alter table batches add column on_unfilled text not null default 'allow';
alter table batches add column default_country text;

-- What the operator decides above the accounts.

-- A suspended account: its tokens are refused, nothing of it is dialed, calls to its numbers are not taken.
alter table accounts
  add column suspended_at timestamptz,
  add column suspended_reason text check (length(suspended_reason) between 1 and 500);

-- The whole service; one row.
create table service_state (
  only_row boolean primary key default true check (only_row),
  -- All dialing of all accounts is stopped since then
  dialing_stopped_at timestamptz
);
insert into service_state default values;

-- Numbers of a suspended account are taken away from LiveKit, and given back.
create trigger inbound_accounts_are_mirrored after update of suspended_at on accounts
  for each row when (old.suspended_at is distinct from new.suspended_at) execute function inbound_settings_changed();

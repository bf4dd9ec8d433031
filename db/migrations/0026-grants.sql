-- Numbers and SIP hosts that the operator has granted to accounts. They count if the operator asks for grants
-- (OUTDIAL_REQUIRE_GRANTS); otherwise they are kept and change nothing.
create table grants (
  account_id text not null references accounts (id) on delete cascade,
  kind text not null check (kind in ('number', 'host')),
  -- A number as E.164; a host as `sip_host` writes it, in lower case, without port and final dot
  value text not null,
  granted_at timestamptz not null default clock_timestamp(),
  primary key (kind, value, account_id)
);
-- A number belongs to one account; a carrier's host may serve several.
create unique index grants_of_numbers on grants (value) where kind = 'number';
create index grants_by_account on grants (account_id);

-- A number that is granted is given to LiveKit, one whose grant is taken back is taken away from it.
create trigger inbound_grants_are_mirrored after insert or delete on grants
  for each row execute function inbound_settings_changed();

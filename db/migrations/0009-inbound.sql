-- Calls that come in: which leg of LiveKit each one is, and when LiveKit must hear of changed numbers, gateways and rules.

-- The leg of an inbound call. Whoever hears of it first, agent worker or webhook, makes the call with it, in one transaction.
create table inbound_legs (
  call_id uuid primary key references calls on delete cascade deferrable initially deferred,
  account_id text not null references accounts,
  -- Region of OUTDIAL_REGIONS whose LiveKit took the call
  region text not null,
  -- The carrier's SIP Call-ID
  sip_call_id text not null,
  room text not null,
  -- The caller's participant in the room
  identity text not null,
  -- Until the call is over: what the keeper of inbound calls looks at
  open boolean not null default true,
  checked_at timestamptz,
  -- Since when the caller has not been found in the room
  absent_since timestamptz
);
-- Call-IDs are the carriers' own: what one account is called with must not hide a call of another.
create unique index inbound_legs_by_sip_call on inbound_legs (account_id, sip_call_id);
create index inbound_legs_by_room on inbound_legs (account_id, room);
create index inbound_legs_open on inbound_legs (checked_at nulls first) where open;

-- Room and identity are named after the caller: they go when the person is erased, as soon as the call is over.
create function forget_inbound_leg() returns trigger language plpgsql as $$
begin
  update inbound_legs set room = '', identity = '' where call_id = new.id and account_id = new.account_id;
  return null;
end $$;
create trigger erased_callers_are_forgotten after update on calls
  for each row when (new.type = 'inbound' and new.erased_at is not null and new.settled)
  execute function forget_inbound_leg();

-- ---------------------------------------------------------------------------------------------------- the mirror

-- What LiveKit is told of inbound numbers follows from four tables, and is compared as a whole. Whatever changes something
-- of it leaves the start of a comparison in the outbox, once in a transaction, so that no way of changing it is forgotten.
create function mirror_inbound() returns void language plpgsql as $$
declare
  workflow text := 'reconcile-inbound/' || pg_current_xact_id();
begin
  if not exists (select 1 from outbox where name = 'reconcileInbound' and workflow_id = workflow) then
    insert into outbox (kind, name, workflow_id) values ('start', 'reconcileInbound', workflow);
  end if;
end $$;
create index outbox_of_inbound on outbox (workflow_id) where name = 'reconcileInbound';

create function inbound_number_changed() returns trigger language plpgsql as $$
begin
  -- A number that no inbound rule takes calls for is not known to LiveKit.
  if exists (select 1 from rule_numbers r
    where r.number_id = coalesce(new.number_id, old.number_id) and r.type = 'inbound') then
    perform mirror_inbound();
  end if;
  return null;
end $$;
create trigger inbound_gateways_are_mirrored after insert or update or delete on number_gateways
  for each row execute function inbound_number_changed();

create function inbound_rule_number_changed() returns trigger language plpgsql as $$
begin
  if coalesce(new.type, old.type) = 'inbound' then perform mirror_inbound(); end if;
  return null;
end $$;
create trigger inbound_rule_numbers_are_mirrored after insert or update or delete on rule_numbers
  for each row execute function inbound_rule_number_changed();

create function inbound_settings_changed() returns trigger language plpgsql as $$
begin
  perform mirror_inbound();
  return null;
end $$;
create trigger inbound_rules_are_mirrored after update on routing_rules
  for each row when (new.type = 'inbound') execute function inbound_settings_changed();
create trigger inbound_gateway_settings_are_mirrored after update on gateways
  for each row when (new.direction = 'inbound') execute function inbound_settings_changed();

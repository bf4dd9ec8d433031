-- Warm transfers (ADR 54): the agent speaks with the target, whose telephone the dialer calls, before it is joined with the
-- callee. Processes of the version before take transfers that are `requested`, so a warm one never is:
--
--   wanted ──▶ held ──▶ calling ──▶ transferred, failed
alter table call_transfers
  add column mode text not null default 'cold' check (mode in ('cold', 'warm')),
  -- Gateway of which the target's telephone takes a line, from its turn until it is certainly hung up
  add column gateway_line text,
  drop constraint call_transfers_status_check,
  add constraint call_transfers_status_check check (
    status in ('requested', 'sent', 'transferred', 'failed')
    -- held: the callee hears and is heard by nobody. calling: committed before the INVITE leaves, so that there is never a
    -- second one
    or (mode = 'warm' and status in ('wanted', 'held', 'calling'))),
  add constraint call_transfers_calling_check check (status <> 'calling' or sent_at is not null);
create unique index one_warm_transfer_at_a_time on call_transfers (call_id) where status in ('wanted', 'held', 'calling');
create index call_transfers_under_way on call_transfers (id) where status in ('wanted', 'held', 'calling');
create index call_transfers_lines on call_transfers (gateway_line) where gateway_line is not null;

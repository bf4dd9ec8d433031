-- Warm transfers of calls that came in (ADR 57). No dialer holds such a call, so one takes the transfer.
alter table call_transfers
  -- Dialer process that carries it out: of a call that came in from its first step on, of others from the gate on. What another
  -- process does late with a transfer that it has lost changes nothing.
  add column taken_by uuid;

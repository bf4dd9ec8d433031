-- Before each update of the call of an erased person (the end of the leg that was live, its transcript, its summary, its analysis): nothing stays
-- that says who it was. A room may have the callee's number in its name, and the client's own id may be a name.
create or replace function keep_call_erased() returns trigger language plpgsql as $$
begin
  if new.type = 'inbound' then new.from_number := 'erased'; else new.to_number := 'erased'; end if;
  new.metadata := '{}';
  new.participant := null;
  new.options := null;
  new.recipient_id := null;
  new.room_id := null;
  new.ended_room := null;
  new.time_zones := null;
  new.transcript := null;
  new.summary := null;
  new.summary_error := null;
  new.analysis := null;
  new.analysis_error := null;
  new.success := null;
  new.pre_dial_reason := null;
  if new.status in ('pending', 'retrying') then
    new.status := 'cancelled';
    new.reason := 'erased';
    new.next_attempt_at := null;
    new.ended_at := coalesce(new.ended_at, clock_timestamp());
  end if;
  return new;
end $$;

-- Calls that are over are found by the room that they were in, whatever has become of the rule that named it.

-- The room of a settled call, if others can have been in it as well; null while the call is open, and for a room of the call's
-- own, which has its id in its name. An index may hold it, because it changes once.
alter table calls add column ended_room text;

create or replace function keep_call_end() returns trigger language plpgsql as $$
begin
  new.ended_as := case when new.status in ('pending', 'dialing', 'in-progress', 'retrying') then null else new.status end;
  new.ended_room := case when new.ended_as is not null and position(new.id::text in new.room_id) = 0 then new.room_id end;
  return new;
end $$;

create or replace function keep_end_of_new_call() returns trigger language plpgsql as $$
begin
  update calls set ended_as = status, ended_room = case when position(id::text in room_id) = 0 then room_id end
  where id = new.id;
  return null;
end $$;

-- A room may have the callee's number in its name.
create or replace function keep_call_erased() returns trigger language plpgsql as $$
begin
  if new.type = 'inbound' then new.from_number := 'erased'; else new.to_number := 'erased'; end if;
  new.metadata := '{}';
  new.participant := null;
  new.options := null;
  new.room_id := null;
  new.ended_room := null;
  new.time_zones := null;
  new.transcript := null;
  new.summary := null;
  new.summary_error := null;
  if new.status in ('pending', 'retrying') then
    new.status := 'cancelled';
    new.reason := 'erased';
    new.next_attempt_at := null;
    new.ended_at := coalesce(new.ended_at, clock_timestamp());
  end if;
  return new;
end $$;

-- Calls that settled before there was the column, a piece at a time; few have such a room.
create procedure fill_rooms_of_calls() language plpgsql as $$
declare
  done uuid := '00000000-0000-0000-0000-000000000000';
  last uuid;
begin
  loop
    select max(p.id::text)::uuid into last from (select id from calls where id > done order by id limit 20000) p;
    exit when last is null;
    update calls set ended_room = room_id
    where id > done and id <= last and settled and ended_room is null and position(id::text in room_id) = 0;
    commit;
    done := last;
  end loop;
end $$;

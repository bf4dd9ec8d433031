-- What records of a batch are filtered and sorted by, so that lists of a batch of any size read only what they show.

-- How a call came to its end: status|reason|SIP code|attempts|who answered|whether it has a talk time. A batch has a few dozen
-- different ones. As with `ended_as`, an index may hold these columns, because they are written when the call settles; the columns that
-- they are made of change with each attempt. null while it is open.
alter table calls
  add column ended_facts text collate "C",
  -- When it was over
  add column ended_time timestamptz,
  add column ended_talk_seconds double precision;
-- Of one way to end, whether it is common or not, the planner then always takes the index that has it in the order of the file. With
-- statistics it would look for a common one in an index of all records, also where this batch has none.
alter table calls alter column ended_facts set statistics 0;

create function facts_of_end(
  status text, reason text, sip_status_code integer, attempts_made smallint, answered_by text, talk_seconds double precision)
returns text language sql immutable parallel safe as $$
  select case when status in ('pending', 'dialing', 'in-progress', 'retrying') then null else
    status || '|' || coalesce(reason, '') || '|' || coalesce(sip_status_code::text, '') || '|' || attempts_made::text || '|'
      || case when status = 'answered' then coalesce(answered_by, 'unknown') else '' end || '|'
      || case when talk_seconds is null then '' else 'talked' end end
$$;

create or replace function keep_call_end() returns trigger language plpgsql as $$
begin
  new.ended_facts := facts_of_end(new.status, new.reason, new.sip_status_code, new.attempts_made, new.answered_by, new.talk_seconds);
  if new.ended_facts is null then
    new.ended_as := null;
    new.ended_room := null;
    new.ended_time := null;
    new.ended_talk_seconds := null;
  else
    -- As it settles: as in 0030-rooms-of-ended-calls.sql.
    if new.ended_as is null then
      new.ended_room := case when position(new.id::text in new.room_id) = 0 then new.room_id end;
    end if;
    new.ended_as := new.status;
    new.ended_time := coalesce(new.ended_at, new.ended_time, new.updated_at);
    new.ended_talk_seconds := new.talk_seconds;
  end if;
  return new;
end $$;
create or replace trigger settled_calls_keep_their_end before update on calls
  for each row when (
    new.ended_facts is distinct from
      facts_of_end(new.status, new.reason, new.sip_status_code, new.attempts_made, new.answered_by, new.talk_seconds)
    or new.ended_facts is not null and (new.ended_talk_seconds is distinct from new.talk_seconds
      or new.ended_at is distinct from new.ended_time and new.ended_at is not null))
  execute function keep_call_end();

create or replace trigger new_settled_calls_keep_their_end after insert on calls
  for each row when (new.settled and (new.ended_as is null or new.ended_facts is null)) execute function keep_end_of_new_call();

-- Calls that settled before there were the columns; as `fill_ends_of_calls` in 0023-lists.sql.
create procedure fill_facts_of_ends() language plpgsql as $$
declare
  done uuid;
  last uuid;
begin
  for pass in 0..4 loop
    done := '00000000-0000-0000-0000-000000000000';
    loop
      select max(p.id::text)::uuid into last from (select id from calls where id > done order by id limit 20000) p;
      exit when last is null;
      update calls set ended_as = status
      where id > done and id <= last and settled and ended_facts is null and batch_id is not null
        and abs(hashtext(id::text)) % 5 = pass;
      commit;
      done := last;
    end loop;
  end loop;
end $$;

-- What was found out in the calls of a batch, to be looked for: a row for each value of an analysis. Longer texts are not.
create table record_analyses (
  batch_id text not null,
  field text collate "C" not null,
  value text collate "C" not null check (length(value) <= 200),
  -- Place of the record in its batch
  position integer not null,
  primary key (batch_id, field, value, position)
);

create function list_analysis() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.analysis is not null then
    delete from record_analyses r using jsonb_each_text(old.analysis) v
    where r.batch_id = old.batch_id and r.field = v.key and r.value = v.value and r.position = old.position;
  end if;
  if tg_op <> 'DELETE' and new.analysis is not null then
    insert into record_analyses (batch_id, field, value, position)
    select new.batch_id, v.key, v.value, new.position from jsonb_each_text(new.analysis) v where length(v.value) <= 200
    on conflict do nothing;
  end if;
  return null;
end $$;
-- Not before the change: the row may be changed by other triggers.
create trigger analyses_are_listed after update on calls
  for each row when (new.batch_id is not null and new.analysis is distinct from old.analysis) execute function list_analysis();
create trigger analyses_of_new_calls_are_listed after insert on calls
  for each row when (new.batch_id is not null and new.analysis is not null) execute function list_analysis();
create trigger analyses_of_deleted_calls_are_gone after delete on calls
  for each row when (old.batch_id is not null and old.analysis is not null) execute function list_analysis();

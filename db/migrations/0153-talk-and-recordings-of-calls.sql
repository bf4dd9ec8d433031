-- What lists of calls need to be filtered by how long they talked and by whether they have a recording, so that years of history
-- lengthen neither.

-- The range of seconds that a talk time lies in. An index has the calls of each range newest first. Part of an index: never to be
-- changed.
create function talk_range(seconds double precision) returns integer
language sql immutable parallel safe as $$
  select width_bucket(seconds, array[1, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 2700, 3600,
    7200]::double precision[])
$$;

-- `created_at` of its call, which never changes: recordings are listed in the order of their calls.
alter table recordings add column call_created_at timestamptz;
create function date_recording() returns trigger language plpgsql as $$
begin
  new.call_created_at := (select c.created_at from calls c where c.id = new.call_id);
  return new;
end $$;
create trigger recordings_have_the_time_of_their_call before insert on recordings
  for each row execute function date_recording();

-- Recordings and single calls from before, a piece at a time. Calls of batches were filled by 0076-indexes-of-records.sql.
create procedure fill_talk_and_recordings() language plpgsql as $$
declare
  done uuid;
  last uuid;
begin
  done := '00000000-0000-0000-0000-000000000000';
  loop
    select max(p.id::text)::uuid into last from (select call_id as id from recordings where call_id > done order by call_id limit 20000) p;
    exit when last is null;
    update recordings r set call_created_at = c.created_at from calls c
    where r.call_id > done and r.call_id <= last and r.call_created_at is null and c.id = r.call_id;
    commit;
    done := last;
  end loop;
  done := '00000000-0000-0000-0000-000000000000';
  loop
    select max(p.id::text)::uuid into last from (select id from calls where id > done order by id limit 20000) p;
    exit when last is null;
    update calls set ended_as = status
    where id > done and id <= last and settled and batch_id is null and talk_seconds is not null and ended_talk_seconds is null;
    commit;
    done := last;
  end loop;
end $$;

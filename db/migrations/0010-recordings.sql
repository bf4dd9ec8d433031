-- Recordings of calls, as their agents make them while they talk.

create table recordings (
  call_id uuid primary key references calls on delete cascade,
  account_id text not null references accounts,
  -- The attempt that is heard on it
  attempt smallint not null,
  -- When its first sound was
  started_at timestamptz not null
);
create index recordings_by_age on recordings (started_at);

-- One page of the Ogg stream each, so that whatever is stored can be played, however its agent ended.
create table recording_chunks (
  call_id uuid not null references recordings on delete cascade,
  account_id text not null references accounts,
  -- Number of the page
  sequence integer not null check (sequence >= 0),
  -- Frames of sound in the stream up to its end, 20 ms each
  frames integer not null,
  bytes bytea not null,
  primary key (call_id, sequence)
);
-- Sound is compressed as it comes.
alter table recording_chunks alter column bytes set storage external;

-- What a person said is gone with the person, and with what else is kept of the call. The agent of a call that goes on finds
-- its recording gone, and stops.
create function forget_recording() returns trigger language plpgsql as $$
begin
  delete from recordings where call_id = new.id and account_id = new.account_id;
  return null;
end $$;
create trigger emptied_calls_lose_their_recording after update on calls
  for each row when (
    (old.erased_at is null and new.erased_at is not null) or (old.purged_at is null and new.purged_at is not null))
  execute function forget_recording();

-- Where a recording is follows from its being there.
create or replace function keep_call_erased() returns trigger language plpgsql as $$
begin
  if new.type = 'inbound' then new.from_number := 'erased'; else new.to_number := 'erased'; end if;
  new.metadata := '{}';
  new.participant := null;
  new.options := null;
  new.room_id := null;
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
alter table calls drop column recording_url;

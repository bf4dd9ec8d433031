-- Recordings that are kept in an object store. A row is there before its object and goes after it, so that no object is forgotten,
-- whatever dies in between: also after the call, its batch or its account's data are gone.
create table recording_objects (
  bucket text not null,
  -- Whole: a new prefix leaves it as it is
  key text not null,
  primary key (bucket, key),
  account_id text not null,
  call_id uuid not null,
  -- null: it is being uploaded, or an upload was cut off
  size bigint check (size > 0),
  created_at timestamptz not null default clock_timestamp(),
  -- Nothing reads it any more: it has to be deleted
  unwanted_at timestamptz
);
create index recording_objects_unwanted on recording_objects (bucket, key) where unwanted_at is not null;
create index recording_objects_cut_off on recording_objects (created_at) where size is null and unwanted_at is null;

-- Where the sound is; null: in recording_chunks.
alter table recordings add column object_bucket text;
alter table recordings add column object_key text;
create index recordings_to_move on recordings (started_at) where object_key is null;

create function unwant_recording_object() returns trigger language plpgsql as $$
begin
  update recording_objects set unwanted_at = clock_timestamp() where bucket = old.object_bucket and key = old.object_key;
  return null;
end $$;
create trigger objects_go_with_their_recordings after delete on recordings
  for each row when (old.object_key is not null) execute function unwant_recording_object();

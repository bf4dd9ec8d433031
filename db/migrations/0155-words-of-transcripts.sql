-- Outside a transaction.
-- What was said in calls that are over, to be looked for by its words (docs/adr/0053). Each call is noted here when its transcript is
-- there or changes, and read by a worker, which knows the words of scripts without spaces.
create table if not exists unread_transcripts (call_id uuid primary key);

-- Beside the words each vector has two of another kind, which no text contains: `=<account>/<day>` and `=<batch>`. So the index has the
-- calls of a day or of a batch in which a word was said, however often it was said elsewhere. No foreign keys: a worker never waits for a
-- call, nor a call for long for a worker.
create table if not exists transcript_words (
  call_id uuid primary key,
  account_id text not null,
  created_at timestamptz not null,
  words tsvector not null
) with (toast_tuple_target = 128);
-- Only the index is read: the rows that it leads to are short.
alter table transcript_words alter column words set storage external;

-- The note is locked before the words go: a worker that is just reading the call is waited for, and what it wrote goes, too. Lines do not
-- end with the statements of the function, because the statements of this file do.
create or replace function note_transcript() returns trigger language plpgsql as $$ begin
  insert into unread_transcripts as u (call_id) values (old.id)
    on conflict (call_id) do update set call_id = excluded.call_id; if tg_op = 'DELETE' then
    delete from transcript_words where call_id = old.id; elsif not new.settled or new.transcript is null then
    delete from transcript_words where call_id = old.id; end if; return null; end $$;
create or replace function note_transcript_of_new_call() returns trigger language plpgsql as $$ begin
  insert into unread_transcripts as u (call_id) values (new.id) on conflict (call_id) do nothing; return null; end $$;
create or replace trigger transcripts_are_noted after update on calls
  for each row when ((old.transcript is not null or new.transcript is not null)
    and (old.settled <> new.settled or new.settled and old.transcript is distinct from new.transcript))
  execute function note_transcript();
create or replace trigger transcripts_of_new_calls_are_noted after insert on calls
  for each row when (new.settled and new.transcript is not null) execute function note_transcript_of_new_call();
create or replace trigger transcripts_of_deleted_calls_are_noted after delete on calls
  for each row when (old.transcript is not null) execute function note_transcript();

create index concurrently if not exists transcript_words_search on transcript_words using gin (words) with (fastupdate = off);
create index concurrently if not exists transcript_words_by_time on transcript_words (account_id, created_at desc, call_id desc);

-- Reads the whole table once; nobody is kept from reading or writing. Workers read what is noted, newest first.
insert into unread_transcripts (call_id) select id from calls where settled and transcript is not null on conflict do nothing;

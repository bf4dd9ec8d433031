-- Outside a transaction.
-- Minutes for each ten million calls; nobody is kept from reading or writing.
call fill_talk_and_recordings();

-- The calls that talked so long, newest first.
create index concurrently if not exists calls_by_talk on calls
  (account_id, talk_range(ended_talk_seconds), created_at desc, id desc) include (ended_talk_seconds, ended_as)
  where ended_talk_seconds is not null;
-- The calls that have a recording, newest first.
create index concurrently if not exists recordings_by_call on recordings (account_id, call_created_at desc, call_id desc);

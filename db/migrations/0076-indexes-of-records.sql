-- Outside a transaction.
-- Minutes for each ten million calls; nobody is kept from reading or writing.
call fill_facts_of_ends();
insert into record_analyses (batch_id, field, value, position)
select c.batch_id, v.key, v.value, c.position
from (select * from calls where batch_id is not null and analysis is not null for share) c
cross join lateral jsonb_each_text(c.analysis) v where length(v.value) <= 200
on conflict do nothing;

-- Records of a batch that ended in one way, in the order of the file.
create index concurrently if not exists calls_by_facts_of_end on calls (batch_id, ended_facts, position)
  where batch_id is not null and ended_facts is not null;
-- Records of a batch in order of what they are sorted by.
create index concurrently if not exists calls_of_batch_by_number on calls (batch_id, to_number, position)
  where batch_id is not null;
create index concurrently if not exists calls_of_batch_by_end on calls (batch_id, ended_time, position)
  where batch_id is not null and ended_time is not null;
create index concurrently if not exists calls_of_batch_by_talk on calls (batch_id, ended_talk_seconds, position)
  where batch_id is not null and ended_talk_seconds is not null;
-- Attempts outside the retry plan: calls that were over and are made again.
create index concurrently if not exists attempts_called_again on call_attempts (batch_id) where again;

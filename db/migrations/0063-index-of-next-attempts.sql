-- Outside a transaction.
-- Who is due next in a batch. Calls without a delay, which are nearly all, are not in it.
create index concurrently if not exists calls_by_next_attempt on calls (batch_id, next_attempt_at)
  where next_attempt_at is not null;

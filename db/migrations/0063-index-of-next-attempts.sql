-- Outside a transaction.
-- Who is due next in a batch. Not by calls.next_attempt_at itself: a change of a call that does not settle it writes no index.
create index concurrently if not exists attempts_by_next_attempt on call_attempts (batch_id, next_attempt_at)
  where next_attempt_at is not null;
create index concurrently if not exists calls_by_not_before on calls (batch_id, not_before) where not_before is not null;

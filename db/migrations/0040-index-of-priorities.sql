-- Outside a transaction.
-- As the claim reads a lane with priorities: the due attempts of each. Other lanes cost it nothing.
create index concurrently if not exists attempts_by_priority on call_attempts (gateway_id, lane, priority, due_at, position)
  where phase = 'queued' and priority is not null;

-- Outside a transaction.
-- Counts the time talked again of batches that have calls which ended otherwise than answered, one batch in each transaction. A statement
-- that changes a call of that batch meanwhile waits for its counters, and adds to what was counted here. If this is cut off, it
-- begins again. No line ends with a semicolon: this is one statement.
do $$ declare batch text; begin
  for batch in select batch_id from batch_counters where abandoned > 0 order by batch_id loop
    perform 1 from batch_counters where batch_id = batch for update; update batch_counters k
    set talk_seconds = (
      select coalesce(sum(c.talk_seconds), 0) from calls c where c.batch_id = batch and c.status = 'answered')
    where k.batch_id = batch; commit; end loop; end $$;

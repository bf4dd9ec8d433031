-- Outside a transaction.
-- Reads the open calls of unfinished batches once. A batch's calls change no status while it is counted, a second at most.
call fill_batch_waits();

-- Outside a transaction.
-- Reads the calls of batches that have answered ones once. A batch's calls change no status while it is counted, a second at most.
call fill_who_answered();

-- Outside a transaction.
-- How many calls of a batch were a success, for batches that stop after so many.
create index concurrently if not exists calls_of_success on calls (batch_id) where success;

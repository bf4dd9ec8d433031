-- Outside a transaction.
-- Reads the whole table once; reading and writing go on beside it.
call fill_batches_of_deliveries();

create index concurrently if not exists webhook_deliveries_of_batch on webhook_deliveries
  (call_batch_id, created_at desc, id desc) where call_batch_id is not null;

-- Outside a transaction.
-- What waits to be delivered, by account.
create index concurrently if not exists webhook_deliveries_waiting on webhook_deliveries (account_id, id)
  where status = 'pending';
-- How many batches an account has in each state.
create index concurrently if not exists batches_by_state on batches (account_id, status);

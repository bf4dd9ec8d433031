-- Outside a transaction.
-- Unfinished batches that call from several numbers: asked before one of them is detached or released.
create index concurrently if not exists batches_unfinished_with_numbers on batches (account_id)
  where phone_numbers is not null and status not in ('parse_failed', 'cancelled', 'completed');

-- Outside a transaction.
-- Nobody is kept from writing while these are built: calls and webhook_deliveries may hold years of history.

-- It indexed updated_at, which every update of a call sets: none of them could be a heap-only one.
drop index concurrently if exists calls_single_to_purge;
-- Instead: by a column that never changes.
create index concurrently if not exists calls_single_by_age on calls (created_at)
  where batch_id is null and purged_at is null;

-- What the watchdog looks for, among all that was ever delivered or deployed.
create index concurrently if not exists webhook_deliveries_pending on webhook_deliveries (id) where status = 'pending';
create index concurrently if not exists deployments_pending on deployments (id) where status = 'pending';

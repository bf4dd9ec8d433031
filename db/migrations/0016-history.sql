-- Outside a transaction.
-- Batches that are over, by when: what is deleted altogether after OUTDIAL_HISTORY_DAYS.
create index concurrently if not exists batches_by_end on batches (completed_at) where completed_at is not null;

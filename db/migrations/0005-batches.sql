-- ---------------------------------------------------------------------------------------- changes of a batch

-- The calling window was changed, and what is in the queue has not all been moved to the new one: until then nothing of
-- the batch is dialed.
alter table batches add column window_moving boolean not null default false;

-- Placeholders of the agent's texts that no column of the file fills, found when the file was read: [{path, placeholder}]
alter table batches add column unfilled_placeholders jsonb not null default '[]';

-- ------------------------------------------------------------------------------------------- batches from batches

-- Statuses of the recipients that are taken over from `retried_from`, for a batch that was made so.
alter table batches add column retried_statuses text[];
-- What `file` of the API says where the batch has no file of its own (any more).
alter table batches add column filename text;
alter table batches add column extension text;
alter table batches add column file_key text;
create index batches_by_origin on batches (retried_from) where retried_from is not null;

-- ----------------------------------------------------------------------------------------- deletion and retention

-- Batches that were deleted and whose calls and rejected rows are still being removed, in pieces. A row here is the work
-- that is left: it goes when all is done.
create table batch_deletions (
  batch_id text primary key,
  account_id text not null references accounts,
  asked_at timestamptz not null default now()
);

-- A cascade over hundreds of thousands of rows would be one long transaction; they are removed in pieces, as calls are.
alter table rejected_rows drop constraint rejected_rows_batch_id_fkey;

-- When files, transcripts and metadata began to be deleted because their time (OUTDIAL_RETENTION_DAYS) was over: nothing can
-- be made of the batch from then on. emptied_at: when nothing of them was left.
alter table batches add column purged_at timestamptz;
alter table batches add column emptied_at timestamptz;
alter table calls add column purged_at timestamptz;
create index batches_to_empty on batches (completed_at) where completed_at is not null and emptied_at is null;
create index calls_single_to_purge on calls (updated_at) where batch_id is null and settled and purged_at is null;

-- -------------------------------------------------------------------------------------------------- deliveries

-- When it was asked for again: its tries are counted from then on.
alter table webhook_deliveries add column asked_at timestamptz;
create index webhook_deliveries_of_calls on webhook_deliveries (call_id) where call_id is not null;
create index webhook_deliveries_over on webhook_deliveries (created_at) where status <> 'pending';

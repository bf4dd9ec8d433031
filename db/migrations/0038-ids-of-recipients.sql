-- Outside a transaction.
-- One id names one recipient of a batch. Calls without one cost it nothing.
create unique index concurrently if not exists calls_by_recipient on calls (batch_id, recipient_id)
  where recipient_id is not null;
alter table batch_files validate constraint batch_files_extension_check;

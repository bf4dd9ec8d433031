-- Recipients that are sent as JSON in place of a file. Their upload is kept as a file is: JSON text of what was sent.
alter table batch_files drop constraint batch_files_extension_check;
alter table batch_files add constraint batch_files_extension_check
  check (extension in ('csv', 'xls', 'xlsx', 'json')) not valid;

-- The client's own id of a recipient; null: it gave none, or the recipient comes from a file.
alter table calls add column recipient_id text;
alter table rejected_rows add column recipient_id text;

-- Rows of a file whose number is dialed otherwise than it was written. Removed in pieces when the batch is deleted, as
-- rejected rows are, so nothing cascades to them.
create table corrected_rows (
  batch_id text not null,
  -- Row of the file, the header being row 1
  row integer not null,
  account_id text not null references accounts,
  -- The cell as it was written
  value text not null,
  phone_number text not null,
  primary key (batch_id, row)
);
create index corrected_rows_by_number on corrected_rows (account_id, phone_number);

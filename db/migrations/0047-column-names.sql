-- Names that the client has for columns of the file: {"phone_number": "Mobile"}.
alter table batches add column column_names jsonb;

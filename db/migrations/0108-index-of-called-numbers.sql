-- Outside a transaction.
-- Calls to a number, newest first: the latest of them cost the same whatever came before. Takes the place of the index that has no
-- order. Reads the whole table once; nobody is kept from reading or writing.
create index concurrently if not exists calls_by_number_and_age on calls (account_id, to_number, created_at desc);
drop index concurrently if exists calls_by_number;

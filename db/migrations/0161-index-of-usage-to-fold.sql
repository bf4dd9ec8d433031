-- Outside a transaction.
-- Days of usage that are over and not added up yet. Seconds for each ten million rows; nobody is kept from reading or writing.
create index concurrently if not exists usage_to_fold on usage_days (day) where backend <> 0;

-- Outside a transaction.
-- The calls for whose analyses a batch waits with its end. Reads the whole table once; nobody is kept from reading or writing.
create index concurrently if not exists calls_awaiting_analysis on calls (batch_id, analysis_until) where analysis_until is not null;

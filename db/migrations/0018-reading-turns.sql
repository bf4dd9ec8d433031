-- Files and documents of an account are read in the order in which they came, a few at a time: what still waits is counted.
create index batches_parsing on batches (account_id, id) where status = 'parsing';
create index knowledge_bases_to_read on knowledge_bases (account_id, id) where status = 'processing';
create index knowledge_base_documents_by_account on knowledge_base_documents (account_id) include (byte_size);

-- Outside a transaction.
-- Records of a batch by the variant that they got, which never changes; calls without one have no entry.
create index concurrently if not exists calls_of_batch_by_variant on calls (batch_id, variant, position) where variant is not null;

alter table idempotency_keys
  -- Hash of `fingerprint` and of the request as it was sent, before defaults. null: stored by the version before. `fingerprint` is of the
  -- fields as they were read, which another version may read with other defaults; that version goes by it alone.
  add column sent_fingerprint text;

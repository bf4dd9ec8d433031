-- Tokens are signed, not stored: what is stored are those that no longer count, each by the hash of what was signed.
create table revoked_tokens (
  -- sha-256 of `<header>.<payload>`, hexadecimal: a signature can be spelled in several ways
  token_hash text primary key,
  account_id text not null,
  key_id text not null,
  -- After this it would not count anyway; null: never
  expires_at timestamptz,
  revoked_at timestamptz not null default now()
);
create index revoked_tokens_expire on revoked_tokens (expires_at) where expires_at is not null;

-- A key that was made with a token that expires ends with it; null: it does not end.
alter table api_keys add column expires_at timestamptz;

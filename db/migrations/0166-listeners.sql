-- Places in rooms that supervisors were given (`calls.listen`), each with the token that asked: LiveKit lets in who has a place, and
-- knows nothing of tokens that are revoked afterwards.
create table listeners (
  -- in the identity of the participant in LiveKit
  id uuid primary key,
  account_id text not null,
  key_id text not null,
  -- as in revoked_tokens
  token_hash text not null,
  -- when it was issued, since 1970; null: it does not say
  token_issued_seconds double precision,
  -- name of the LiveKit that has the room
  region text not null,
  room text not null,
  created_at timestamptz not null default now(),
  -- when it was first seen that the token no longer counts, or the place was too old
  refused_at timestamptz
);

-- How late after its slot an INVITE may still leave, in seconds: the longest that a dialer has lately asked for. Slots lie so
-- much farther apart that no second sees more calls than the gateway takes, however late each of them leaves
-- (db/functions/pace-attempts.sql).
alter table gateway_admission
  add column slot_patience double precision not null default 0,
  -- When a dialer last asked for that much or more
  add column slot_patience_at timestamptz not null default '-infinity';

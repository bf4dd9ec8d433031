-- When a dialer last claimed the LiveKit of a region: an agent worker that does not find the claim there has another LiveKit.
create table livekit_claims (
  -- a name of OUTDIAL_REGIONS
  region text primary key,
  claimed_at timestamptz not null
);

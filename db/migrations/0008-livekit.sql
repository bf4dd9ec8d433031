-- What the LiveKit driver needs to know beyond its own process.

-- LiveKit's last words about the leg of this INVITE ({at, callStatus, disconnectReason, transferring}), as a verified webhook
-- told them: how a leg ended whose dialer died before it heard.
alter table call_attempts add column left_hint jsonb;

-- Agent workers announce themselves here every few seconds; `slots` is how many calls one takes at once, 0 while it warms
-- up or drains. One that has not been seen for a while does not count.
create table agent_workers (
  id text primary key,
  -- Region of OUTDIAL_REGIONS whose LiveKit it is registered with
  region text not null,
  slots integer not null check (slots >= 0),
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);
create index agent_workers_by_region on agent_workers (region, seen_at);

-- Outdial's schema. Every table that holds someone's data carries account_id, and every query names it.
-- Ids are prefixed UUIDv7 text, but for calls: a batch's record (rec_…) and its call (call_…) are one row and share a
-- bare UUID, of which there are hundreds of thousands.

-- ---------------------------------------------------------------------------------------------------- accounts

create table accounts (
  id text primary key,
  name text not null check (length(name) between 1 and 256),
  -- All dialing of the account is stopped while this is set.
  dialing_stopped_at timestamptz,
  webhook_secret_sealed text not null,
  previous_webhook_secret_sealed text,
  previous_webhook_secret_valid_until timestamptz,
  created_at timestamptz not null default now()
);

create table api_keys (
  id text primary key,
  account_id text not null references accounts,
  name text not null default '',
  -- HS256 key of the account's tokens; sealed, not hashed: it must verify signatures.
  secret_sealed text not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  deactivated_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_by_account on api_keys (account_id);

create table idempotency_keys (
  key_id text not null references api_keys,
  idempotency_key text not null,
  account_id text not null references accounts,
  route text not null,
  -- SHA-256 over route, parsed fields and the file's hash.
  fingerprint text not null,
  -- null while the first request is in flight.
  response_status integer,
  response_sealed text,
  created_at timestamptz not null default now(),
  primary key (key_id, idempotency_key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table audit_log (
  id bigint generated always as identity primary key,
  account_id text not null references accounts,
  key_id text,
  action text not null,
  target text not null,
  address text,
  details jsonb not null default '{}',
  at timestamptz not null default now()
);
create index audit_log_by_account on audit_log (account_id, id desc);

-- ------------------------------------------------------------------------------------------------------ agents

create table agents (
  id text primary key,
  account_id text not null references accounts,
  name text not null,
  status text not null default 'inactive' check (status in ('inactive', 'active')),
  latest_version_id text not null,
  -- The live deployment of the default region.
  deployment_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'active') = (deployment_id is not null))
);
create index agents_by_account on agents (account_id, created_at desc, id desc);

create table agent_versions (
  id text primary key,
  account_id text not null references accounts,
  agent_id text not null references agents on delete cascade,
  number integer not null check (number > 0),
  name text not null,
  -- AgentConfig as stored; every apiKey in it is already masked.
  -- json, not jsonb: the order of the languages counts where none is the default
  config json not null,
  created_at timestamptz not null default now(),
  unique (agent_id, number)
);

-- The callers' own provider keys, apart from the immutable config so that they can be sealed anew.
create table agent_version_secrets (
  version_id text not null references agent_versions on delete cascade,
  account_id text not null references accounts,
  -- Path of the apiKey in the config, e.g. languages.english.tts[0].apiKey
  path text not null,
  secret_sealed text not null,
  primary key (version_id, path)
);

create function refuse_version_change() returns trigger language plpgsql as $$
begin
  raise exception 'versions of an agent are never changed';
end $$;
create trigger agent_versions_are_immutable before update on agent_versions
  for each row execute function refuse_version_change();

create table deployments (
  id text primary key,
  account_id text not null references accounts,
  agent_id text not null references agents on delete cascade,
  version_id text not null references agent_versions,
  region text not null,
  status text not null default 'pending' check (status in ('pending', 'live', 'retired', 'failed')),
  reason text,
  -- Models that the service filled in for what the config leaves out, pinned when it went live.
  defaults jsonb not null default '{}',
  -- Order in which deploys were accepted: one goes live only if no later one was.
  accepted bigint generated always as identity,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index one_live_deployment on deployments (agent_id, region) where status = 'live';
create index deployments_by_agent on deployments (agent_id, accepted desc);

-- ------------------------------------------------------------------------------------- numbers, gateways, rules

create table phone_numbers (
  id text primary key,
  account_id text not null references accounts,
  e164 text not null check (e164 ~ '^\+[1-9]\d{6,14}$'),
  name text not null,
  country_code text,
  provider text not null default 'sip',
  origin text not null default 'external',
  status text not null default 'active',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, e164)
);
create index phone_numbers_by_account on phone_numbers (account_id, created_at desc, id desc);

create table gateways (
  id text primary key,
  account_id text not null references accounts,
  direction text not null check (direction in ('inbound', 'outbound')),
  name text not null,
  sip_region text not null,
  -- host or host:port of the trunk; outbound only
  address text,
  transport text check (transport in ('udp', 'tcp', 'tls')),
  auth_username text,
  auth_password_sealed text,
  media_encryption text not null default 'disable' check (media_encryption in ('enable', 'disable')),
  max_concurrent_calls integer not null default 50 check (max_concurrent_calls between 1 and 10000),
  calls_per_second double precision not null default 1 check (calls_per_second between 0.1 and 200),
  ring_timeout_seconds integer not null default 45 check (ring_timeout_seconds between 15 and 75),
  max_call_seconds integer not null default 3600 check (max_call_seconds > 0),
  from_host text,
  headers jsonb not null default '{}',
  number_format text not null default 'e164' check (number_format in ('e164', 'e164_without_plus', 'national')),
  allowed_addresses text[] not null default '{}',
  allowed_numbers text[] not null default '{}',
  record boolean not null default false,
  noise_cancellation boolean not null default false,
  enable_dtmf boolean not null default false,
  metadata jsonb not null default '{}',
  tags text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (direction = 'inbound' or (address is not null and transport is not null))
);
create index gateways_by_account on gateways (account_id, created_at desc, id desc);

-- State of admission, apart from the settings so that the dialer's lock never waits for an API request.
create table gateway_admission (
  gateway_id text primary key references gateways on delete cascade,
  account_id text not null references accounts,
  -- GCRA: the theoretical arrival time of the next INVITE.
  next_dial_at timestamptz not null default '-infinity',
  next_claim_at timestamptz not null default '-infinity',
  -- Lane that was served last, for the round robin between batches.
  last_lane text not null default '',
  -- Share of calls_per_second in force since pace_changed_at, after the carrier said that we are too fast or the gateway
  -- was suspended; a tenth comes back every 10 s
  pace double precision not null default 1 check (pace > 0 and pace <= 1),
  pace_changed_at timestamptz not null default now(),
  -- Concurrency in force since concurrency_changed_at, after the carrier ran out of channels; one comes back a minute;
  -- null: the gateway's own
  concurrency_cap integer,
  concurrency_changed_at timestamptz not null default now(),
  consecutive_silences integer not null default 0,
  -- Newest first, one character each of the last 20 ends: 1 the gateway's own fault, 0 not
  recent_faults text not null default '' check (length(recent_faults) <= 20),
  suspended_since timestamptz,
  -- While suspended: when the next single attempt may probe
  probe_at timestamptz,
  probe_delay_seconds integer,
  suspended_reason text,
  updated_at timestamptz not null default now()
) with (fillfactor = 50);
create index gateway_admission_turn on gateway_admission (next_claim_at);

create table number_gateways (
  number_id text not null references phone_numbers,
  direction text not null check (direction in ('inbound', 'outbound')),
  gateway_id text not null references gateways on delete cascade,
  account_id text not null references accounts,
  e164 text not null,
  primary key (number_id, direction)
);
create index number_gateways_by_gateway on number_gateways (gateway_id);
-- A carrier's call to a number must find one gateway, whoever's account it is.
create unique index one_inbound_gateway_per_number on number_gateways (e164) where direction = 'inbound';

create table routing_rules (
  id text primary key,
  account_id text not null references accounts,
  type text not null check (type in ('inbound', 'outbound')),
  name text not null,
  agent_id text references agents,
  agent_metadata jsonb not null default '{}',
  room_type text not null default 'dynamic' check (room_type in ('static', 'dynamic')),
  room_prefix text not null default 'blank' check (room_prefix in ('blank', 'participantNumber', 'sipNumber', 'random')),
  room_id text,
  room_pin text,
  -- Public id of the key that made the rule
  api_key_id text,
  include_headers text not null default 'NONE' check (include_headers in ('NONE', 'SIP_X_HEADERS', 'ALL')),
  headers jsonb not null default '{}',
  headers_to_attributes jsonb not null default '{}',
  allowed_numbers text[] not null default '{}',
  allowed_ip_addresses text[] not null default '{}',
  tags text[] not null default '{}',
  recording boolean not null default false,
  dtmf boolean not null default false,
  noise_cancellation boolean not null default false,
  hide_phone_number boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (type = 'inbound' or agent_id is not null),
  check ((room_type = 'static') = (room_id is not null))
);
create index routing_rules_by_account on routing_rules (account_id, created_at desc, id desc);
create index routing_rules_by_agent on routing_rules (agent_id);

create table rule_numbers (
  rule_id text not null references routing_rules on delete cascade,
  number_id text not null references phone_numbers,
  account_id text not null references accounts,
  type text not null,
  e164 text not null,
  position integer not null,
  primary key (rule_id, number_id)
);
create index rule_numbers_by_number on rule_numbers (number_id);
create unique index one_inbound_rule_per_number on rule_numbers (number_id) where type = 'inbound';

create table do_not_call (
  account_id text not null references accounts,
  e164 text not null check (e164 ~ '^\+[1-9]\d{6,14}$'),
  reason text,
  created_at timestamptz not null default now(),
  primary key (account_id, e164)
);

-- ----------------------------------------------------------------------------------------------------- batches

create table batches (
  id text primary key,
  account_id text not null references accounts,
  name text not null check (length(name) between 1 and 256),
  description text check (length(description) <= 1000),
  number_id text not null,
  from_number text not null,
  rule_id text not null,
  gateway_id text not null,
  agent_id text not null,
  status text not null default 'parsing'
    check (status in ('parsing', 'parse_failed', 'scheduled', 'running', 'cancelling', 'cancelled', 'completed')),
  timing text not null check (timing in ('immediate', 'scheduled')),
  timezone text not null,
  scheduled_date text,
  scheduled_time text,
  starts_at timestamptz not null,
  retry_enabled boolean not null default false,
  retry_on text[] not null default '{}',
  retry_delays_seconds integer[] not null default '{}',
  webhook_endpoint text,
  webhook_events text[] not null default '{}',
  -- {from, until, daysOfWeek, timezone}
  calling_window jsonb,
  max_concurrent_calls integer check (max_concurrent_calls > 0),
  duplicates text not null default 'call' check (duplicates in ('call', 'skip')),
  missing_plus text not null default 'reject' check (missing_plus in ('reject', 'add')),
  simulated boolean not null default false,
  paused boolean not null default false,
  -- paused_by_user, agent_inactive, gateway_suspended, …; paused_details are words for a person
  paused_reason text,
  paused_details text,
  cancel_mode text check (cancel_mode in ('graceful', 'immediate')),
  -- Whether the cancel dropped an undialed recipient or a retry: decides between cancelled and completed.
  cancel_dropped boolean not null default false,
  parse_error text,
  records_uploaded integer not null default 0,
  records_rejected integer not null default 0,
  records_corrected integer not null default 0,
  columns text[] not null default '{}',
  -- Calls that one child workflow carries, fixed at parse.
  calls_per_workflow integer check (calls_per_workflow between 1 and 500),
  retried_from text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  check ((status in ('parse_failed', 'cancelled', 'completed')) = (completed_at is not null)),
  check (status <> 'cancelling' or cancel_mode is not null),
  check (timing = 'immediate' or (scheduled_date is not null and scheduled_time is not null))
);
create index batches_by_account on batches (account_id, created_at desc, id desc);
create index batches_unfinished on batches (id) where status not in ('parse_failed', 'cancelled', 'completed');
create index batches_unfinished_by_number on batches (number_id)
  where status not in ('parse_failed', 'cancelled', 'completed');
create index batches_by_agent on batches (agent_id) where status not in ('parse_failed', 'cancelled', 'completed');

create table batch_files (
  -- file.key of the API
  key text primary key,
  batch_id text not null unique references batches on delete cascade,
  account_id text not null references accounts,
  filename text not null,
  extension text not null check (extension in ('csv', 'xls', 'xlsx')),
  sha256 text not null,
  byte_size integer not null,
  bytes bytea not null
);
alter table batch_files alter column bytes set storage external;

create table rejected_rows (
  batch_id text not null references batches on delete cascade,
  -- Row of the file, the header being row 1
  row integer not null,
  account_id text not null references accounts,
  value text not null,
  reason text not null,
  message text not null,
  primary key (batch_id, row)
);

-- How many calls of a batch have each status. Kept by a trigger on calls, so it is right whoever changes a call.
create table batch_counters (
  batch_id text primary key references batches on delete cascade,
  pending integer not null default 0 check (pending >= 0),
  dialing integer not null default 0 check (dialing >= 0),
  in_progress integer not null default 0 check (in_progress >= 0),
  retrying integer not null default 0 check (retrying >= 0),
  answered integer not null default 0 check (answered >= 0),
  failed integer not null default 0 check (failed >= 0),
  not_answered integer not null default 0 check (not_answered >= 0),
  rejected integer not null default 0 check (rejected >= 0),
  missed integer not null default 0 check (missed >= 0),
  abandoned integer not null default 0 check (abandoned >= 0),
  cancelled integer not null default 0 check (cancelled >= 0),
  -- Attempts that reached the carrier, and seconds talked, over all calls
  attempts bigint not null default 0 check (attempts >= 0),
  talk_seconds double precision not null default 0 check (talk_seconds >= 0)
) with (fillfactor = 30);

-- ------------------------------------------------------------------------------------------- calls and attempts

create table calls (
  id uuid primary key,
  account_id text not null,
  -- No foreign keys here: checking them would cost an upload of 370,000 rows seconds. Batches are deleted with their
  -- calls by one statement of ours.
  batch_id text,
  -- Place among the good rows of the file, from 0
  position integer,
  type text not null default 'outbound' check (type in ('outbound', 'inbound')),
  to_number text not null check (to_number ~ '^\+[1-9]\d{6,14}$'),
  from_number text not null,
  rule_id text not null,
  gateway_id text not null,
  agent_id text,
  -- Version that was live when the latest attempt was dialed
  version_id text,
  region text,
  room_id text,
  participant jsonb,
  -- What POST /v2/sip/call asked for beyond the rule: headers, ringingTimeout, …
  options jsonb,
  -- json, not jsonb: column order of the file survives, and storing costs no parse
  metadata json not null default '{}',
  -- Zones in which the calling window must be open, where it follows the recipient
  time_zones text[],
  status text not null default 'pending' check (status in ('pending', 'dialing', 'in-progress', 'retrying', 'answered',
    'failed', 'not-answered', 'rejected', 'missed', 'abandoned', 'cancelled')),
  settled boolean not null generated always as (status not in ('pending', 'dialing', 'in-progress', 'retrying')) stored,
  attempts_made smallint not null default 0 check (attempts_made >= 0),
  -- When the next attempt is due while one is planned
  next_attempt_at timestamptz,
  -- How the latest attempt ended
  last_outcome text,
  sip_status_code integer,
  reason text,
  answered_by text check (answered_by in ('human', 'machine', 'unknown')),
  talk_seconds double precision,
  simulated boolean not null default false,
  transcript jsonb,
  summary text,
  recording_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  answered_at timestamptz,
  ended_at timestamptz,
  unique (batch_id, position)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create index calls_by_account on calls (account_id, created_at desc, id desc);
create index calls_unsettled on calls (batch_id, position) where not settled;
create index calls_single_unsettled on calls (id) where batch_id is null and not settled;
create index calls_by_number on calls (account_id, to_number);

create table call_attempts (
  call_id uuid not null references calls on delete cascade,
  number smallint not null check (number > 0),
  account_id text not null,
  batch_id text,
  gateway_id text not null,
  -- The queue of one batch on one gateway; '' for single calls, which go first
  lane text not null generated always as (coalesce(batch_id, '')) stored,
  position integer not null default 0,
  to_number text not null,
  phase text not null default 'queued'
    check (phase in ('queued', 'claimed', 'dialing', 'ringing', 'answered', 'ended')),
  -- How often this attempt has passed the gate
  invite smallint not null default 0,
  due_at timestamptz not null,
  -- End of the calling window that due_at lies in; not dialed later
  not_after timestamptz not null default 'infinity',
  -- When a single call that still has not been dialed is given up
  expires_at timestamptz not null default 'infinity',
  claimed_by uuid,
  claimed_at timestamptz,
  -- Slot that pacing gave it, while claimed
  dial_at timestamptz,
  dialed_at timestamptz,
  room text,
  version_id text,
  ringing_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  hang_up_at timestamptz,
  hang_up_reason text,
  outcome text,
  permanent boolean,
  sip_status_code integer,
  sip_phrase text,
  reason text,
  answered_by text,
  -- Tries of this attempt that the carrier did not take, and since when
  free_tries smallint not null default 0,
  throttled_since timestamptz,
  -- What the workflow is told: when the next attempt is due, null where the call is settled
  next_attempt_at timestamptz,
  reported_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (call_id, number),
  check (phase in ('queued', 'ended') or claimed_by is not null),
  check ((phase = 'ended') = (outcome is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
-- As the claim reads it: a lane's due attempts in order.
create index attempts_queue on call_attempts (gateway_id, lane, due_at, position) where phase = 'queued';
create index attempts_window_ends on call_attempts (not_after) where phase = 'queued' and not_after < 'infinity';
create index attempts_expiring on call_attempts (expires_at) where phase = 'queued' and expires_at < 'infinity';
create index attempts_live on call_attempts (gateway_id, lane)
  where phase in ('claimed', 'dialing', 'ringing', 'answered');
create index attempts_of_process on call_attempts (claimed_by)
  where phase in ('claimed', 'dialing', 'ringing', 'answered');
-- Never two live calls to one person.
create unique index one_live_attempt_per_number on call_attempts (account_id, to_number)
  where phase in ('claimed', 'dialing', 'ringing', 'answered');
create index attempts_unreported on call_attempts (ended_at) where phase = 'ended' and reported_at is null;
create index attempts_to_hang_up on call_attempts (hang_up_at)
  where hang_up_at is not null and phase in ('dialing', 'ringing', 'answered');

-- A dialer that runs. Its attempts are others' business once the lease has ended.
create table dialer_processes (
  id uuid primary key,
  host text not null,
  pid integer not null,
  started_at timestamptz not null default now(),
  lease_until timestamptz not null
);

-- ------------------------------------------------------------------------------------------ outbox and webhooks

-- What must happen in Temporal because of a committed row: written with it, tried at once, swept until done.
create table outbox (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('start', 'signal')),
  -- batchCall, calls, deliverWebhook, deployAgent; for a signal the signal's name
  name text not null,
  workflow_id text not null,
  input jsonb not null default '{}',
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now()
);
create index outbox_due on outbox (next_try_at);

create table webhook_deliveries (
  id text primary key,
  account_id text not null references accounts,
  batch_id text references batches on delete cascade,
  call_id uuid references calls on delete cascade,
  event text not null,
  endpoint text not null,
  -- The body to the byte, frozen at the transition: it is signed.
  payload text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  created_at timestamptz not null default now(),
  delivered_at timestamptz
);
-- Exactly one started and one terminal event, whatever runs twice.
create unique index one_delivery_per_event on webhook_deliveries (batch_id, event) where batch_id is not null;

create table delivery_attempts (
  delivery_id text not null references webhook_deliveries on delete cascade,
  number integer not null,
  at timestamptz not null default now(),
  status_code integer,
  milliseconds integer not null,
  error text,
  primary key (delivery_id, number)
);

-- ---------------------------------------------------------------------------------------------------- counters

-- Keeps batch_counters equal to the counts of calls, whichever statement changes a call. The rows that parsing copies in
-- are counted by the parse itself (`pending` = rows copied): a transition table of 370,000 rows would double its cost.
create function count_changed_calls() returns trigger language plpgsql as $$
begin
  -- Locked in one order, so that two statements over the same batches cannot deadlock.
  perform 1 from batch_counters
    where batch_id in (select batch_id from new_calls where batch_id is not null)
    order by batch_id for update;
  update batch_counters c set
    pending = c.pending + d.pending, dialing = c.dialing + d.dialing, in_progress = c.in_progress + d.in_progress,
    retrying = c.retrying + d.retrying, answered = c.answered + d.answered, failed = c.failed + d.failed,
    not_answered = c.not_answered + d.not_answered, rejected = c.rejected + d.rejected, missed = c.missed + d.missed,
    abandoned = c.abandoned + d.abandoned, cancelled = c.cancelled + d.cancelled, attempts = c.attempts + d.attempts,
    talk_seconds = c.talk_seconds + d.talk_seconds
  from (
    select batch_id,
      coalesce(sum(sign) filter (where status = 'pending'), 0) as pending,
      coalesce(sum(sign) filter (where status = 'dialing'), 0) as dialing,
      coalesce(sum(sign) filter (where status = 'in-progress'), 0) as in_progress,
      coalesce(sum(sign) filter (where status = 'retrying'), 0) as retrying,
      coalesce(sum(sign) filter (where status = 'answered'), 0) as answered,
      coalesce(sum(sign) filter (where status = 'failed'), 0) as failed,
      coalesce(sum(sign) filter (where status = 'not-answered'), 0) as not_answered,
      coalesce(sum(sign) filter (where status = 'rejected'), 0) as rejected,
      coalesce(sum(sign) filter (where status = 'missed'), 0) as missed,
      coalesce(sum(sign) filter (where status = 'abandoned'), 0) as abandoned,
      coalesce(sum(sign) filter (where status = 'cancelled'), 0) as cancelled,
      sum(sign * attempts_made) as attempts,
      sum(sign * coalesce(talk_seconds, 0)) as talk_seconds
    from (
      select batch_id, status, attempts_made, talk_seconds, 1 as sign from new_calls
      union all
      select batch_id, status, attempts_made, talk_seconds, -1 from old_calls
    ) changed
    where batch_id is not null
    group by batch_id
  ) d
  where c.batch_id = d.batch_id;
  return null;
end $$;
create trigger calls_are_counted after update on calls
  referencing old table as old_calls new table as new_calls
  for each statement execute function count_changed_calls();

-- ------------------------------------------------------------------------------------------------------ hang-ups

-- Whoever asks for a live call to be hung up is heard at once by the dialer that holds it.
create function announce_hang_up() returns trigger language plpgsql as $$
begin
  perform pg_notify('outdial_hang_up', '');
  return null;
end $$;
create trigger hang_ups_are_announced after update on call_attempts
  for each row when (old.hang_up_at is null and new.hang_up_at is not null)
  execute function announce_hang_up();

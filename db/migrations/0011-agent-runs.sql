-- What agents leave behind of a conversation besides its words: how quick they were, what their models used, and that they
-- have said all they had to say.

-- One for each agent that was sent to a leg; one that takes over from one that died has a row of its own.
create table agent_runs (
  call_id uuid not null references calls on delete cascade,
  account_id text not null,
  attempt smallint not null,
  -- LiveKit's job
  run text not null,
  started_at timestamptz not null default clock_timestamp(),
  -- From the answer to the first sound of the agent
  answered_to_speech_ms integer,
  -- [{at, ms}]: from the end of the callee's speech to the first sound of the agent's answer
  turns jsonb not null default '[]',
  -- Its last words are stored: nothing more comes of it
  closed_at timestamptz,
  primary key (call_id, attempt, run)
);

-- What models have used for a call, as far as it has come. A source writes its own totals again and again, and nobody else's.
create table call_usage (
  call_id uuid not null references calls on delete cascade,
  account_id text not null,
  -- `<attempt>/<run>` of an agent, or `summary`
  source text not null,
  kind text not null check (kind in ('stt', 'llm', 'tts', 'realtime')),
  -- Slug of the catalogue
  model text not null,
  input_tokens bigint not null default 0,
  -- Of these, what the provider had in its cache
  cached_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  -- Heard (stt) or made (tts)
  audio_seconds double precision not null default 0,
  characters bigint not null default 0,
  primary key (call_id, source, kind, model)
);

-- The same day by day (UTC), apart from the calls: what was used stays used when they are deleted. Several rows for each
-- model and day, so that conversations seldom wait for each other.
create table model_usage_days (
  account_id text not null,
  day date not null,
  kind text not null,
  model text not null,
  part integer not null,
  input_tokens bigint not null default 0,
  cached_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  audio_seconds double precision not null default 0,
  characters bigint not null default 0,
  primary key (account_id, day, kind, model, part)
) with (fillfactor = 50);

create function add_model_usage(used call_usage, before call_usage) returns void language sql as $$
  insert into model_usage_days as u (account_id, day, kind, model, part, input_tokens, cached_input_tokens,
    output_tokens, audio_seconds, characters)
  values (used.account_id, (clock_timestamp() at time zone 'UTC')::date, used.kind, used.model, pg_backend_pid() % 16,
    used.input_tokens - coalesce(before.input_tokens, 0),
    used.cached_input_tokens - coalesce(before.cached_input_tokens, 0),
    used.output_tokens - coalesce(before.output_tokens, 0), used.audio_seconds - coalesce(before.audio_seconds, 0),
    used.characters - coalesce(before.characters, 0))
  on conflict (account_id, day, kind, model, part) do update set
    input_tokens = u.input_tokens + excluded.input_tokens,
    cached_input_tokens = u.cached_input_tokens + excluded.cached_input_tokens,
    output_tokens = u.output_tokens + excluded.output_tokens,
    audio_seconds = u.audio_seconds + excluded.audio_seconds, characters = u.characters + excluded.characters
$$;
create function count_model_usage() returns trigger language plpgsql as $$
begin
  perform add_model_usage(new, old);
  return null;
end $$;
create trigger model_usage_is_counted after insert or update on call_usage
  for each row execute function count_model_usage();

-- A worker that offers no slots says why.
alter table agent_workers add column state text not null default 'ready'
  check (state in ('warming', 'ready', 'draining'));
-- Conversations that it has now.
alter table agent_workers add column used integer not null default 0 check (used >= 0);

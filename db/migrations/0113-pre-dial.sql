-- The endpoint of a client that is asked about recipients just before they are dialed: {url, timeoutMs, onError}; null: none.
alter table batches add column pre_dial jsonb;
alter table account_defaults add column pre_dial jsonb;

-- Why the endpoint would not have the recipient called, in its own words.
alter table calls add column pre_dial_reason text;

-- Queues, of one batch on one gateway, whose endpoint is to be asked. The claim writes them, so a batch without an endpoint has
-- none; see db/functions/04-pre-dial.sql.
create table pre_dial_lanes (
  batch_id text not null references batches (id) on delete cascade,
  gateway_id text not null,
  account_id text not null,
  -- When it is asked next; infinity: when the claim needs answers again.
  ask_at timestamptz not null,
  -- So many recipients may be asked about, or wait with an answer that holds, at a time.
  ahead integer not null,
  -- Questions in a row that failed, since when, and how the last one did.
  failures integer not null default 0,
  failing_since timestamptz,
  last_error text,
  primary key (batch_id, gateway_id)
);
create index pre_dial_lanes_by_turn on pre_dial_lanes (ask_at);

-- Attempts at the head of such a queue: asked about, or cleared. A row counts until `holds_until` and is deleted some time later.
create table pre_dial_answers (
  call_id uuid not null,
  number smallint not null,
  batch_id text not null,
  gateway_id text not null,
  -- The question under way, or the one that was answered.
  question_id uuid not null,
  cleared boolean not null default false,
  holds_until timestamptz not null,
  primary key (call_id, number)
);
create index pre_dial_answers_by_lane on pre_dial_answers (batch_id, gateway_id, holds_until);
create index pre_dial_answers_by_end on pre_dial_answers (holds_until);
create index pre_dial_answers_by_question on pre_dial_answers (question_id);

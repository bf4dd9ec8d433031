-- What happens to calls beyond their attempts: transfers, webhooks that hear of it, summaries.

-- ---------------------------------------------------------------------------------------------------- transfers

-- A transfer asked for: a row before the answer, so that it is followed up whichever dialer dies. Locked after the call.
create table call_transfers (
  id bigint generated always as identity primary key,
  account_id text not null,
  call_id uuid not null references calls on delete cascade,
  -- Attempt whose leg is transferred
  number smallint not null,
  -- E.164 or a SIP or tel URI
  transfer_to text not null check (length(transfer_to) between 1 and 300),
  -- sent: committed before the REFER leaves, so that there is never a second one
  status text not null default 'requested' check (status in ('requested', 'sent', 'transferred', 'failed')),
  sip_status_code integer,
  -- Words for a person
  message text,
  requested_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  ended_at timestamptz,
  check ((status in ('transferred', 'failed')) = (ended_at is not null)),
  check (status <> 'sent' or sent_at is not null)
);
create index call_transfers_by_call on call_transfers (call_id, number, id);
create unique index one_transfer_at_a_time on call_transfers (call_id) where status in ('requested', 'sent');
create index call_transfers_open on call_transfers (id) where status in ('requested', 'sent');

-- The dialer that holds the leg hears of it at once.
create function announce_transfer() returns trigger language plpgsql as $$
begin
  perform pg_notify('outdial_transfer', '');
  return null;
end $$;
create trigger transfers_are_announced after insert on call_transfers
  for each row execute function announce_transfer();

-- ------------------------------------------------------------------------------------------------- SIP webhooks

create table sip_webhooks (
  id text primary key,
  account_id text not null references accounts,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index sip_webhooks_by_account on sip_webhooks (account_id, created_at desc, id desc);

-- Deliveries of SIP webhooks name the webhook, whose deletion ends them, and the attempt.
alter table webhook_deliveries
  add column sip_webhook_id text references sip_webhooks on delete cascade,
  add column attempt smallint,
  add check ((sip_webhook_id is null) = (attempt is null));
create index webhook_deliveries_of_sip_webhook on webhook_deliveries (sip_webhook_id) where sip_webhook_id is not null;
-- Each event of an attempt reaches a webhook once, whatever runs twice.
create unique index one_delivery_per_call_event on webhook_deliveries (call_id, attempt, event, sip_webhook_id)
  where sip_webhook_id is not null;

-- ---------------------------------------------------------------------------------------------------- summaries

-- Why an answered call whose agent summarizes has no summary
alter table calls add column summary_error text;
create unique index one_delivery_per_call_summary on webhook_deliveries (call_id, event)
  where call_id is not null and sip_webhook_id is null;
-- Whether calls of this version are summarized, to be read where its config would have to be parsed.
alter table agent_versions add column summarizes boolean not null
  generated always as (coalesce(config -> 'callSummary' ->> 'enabled', '') = 'true') stored;

-- ---------------------------------------------------------------------------------------- filters of the list

-- None of these columns ever changes, so updates of calls stay as cheap as they were; a batch's calls are not in them:
-- rule and gateway are the batch's.
create index calls_single_by_account on calls (account_id, created_at desc, id desc) where batch_id is null;
create index calls_single_by_room on calls (account_id, (options ->> 'destinationRoomId')) where options is not null;
create index batches_by_rule on batches (rule_id);
create index batches_by_gateway on batches (gateway_id);

-- Rows of the outbox that start a workflow, for statements that add them themselves. Name, id and input are those of
-- domain/workflow; a test compares them.

-- What is made of a conversation has a workflow of its own: that of an earlier conversation of the same call may still run.
-- Processes of the version before name no attempt.
drop function if exists summary_start(text, uuid);
create or replace function summary_start(p_account text, p_call uuid, p_attempt integer default null)
returns table (kind text, name text, workflow_id text, input jsonb) language sql immutable as $$
  select 'start', 'summarizeCall', 'call_' || p_call || '/summary' || case when p_attempt > 1 then '/' || p_attempt else '' end,
    jsonb_strip_nulls(jsonb_build_object('accountId', p_account, 'callId', p_call, 'attempt', p_attempt))
$$;

drop function if exists analysis_start(text, uuid);
create or replace function analysis_start(p_account text, p_call uuid, p_attempt integer default null)
returns table (kind text, name text, workflow_id text, input jsonb) language sql immutable as $$
  select 'start', 'analyzeCall', 'call_' || p_call || '/analysis' || case when p_attempt > 1 then '/' || p_attempt else '' end,
    jsonb_strip_nulls(jsonb_build_object('accountId', p_account, 'callId', p_call, 'attempt', p_attempt))
$$;

create or replace function delivery_start(p_account text, p_delivery text)
returns table (kind text, name text, workflow_id text, input jsonb) language sql immutable as $$
  select 'start', 'deliverWebhook', p_delivery, jsonb_build_object('accountId', p_account, 'deliveryId', p_delivery)
$$;

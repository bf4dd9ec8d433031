-- Rows of the outbox that start a workflow, for statements that add them themselves. Name, id and input are those of
-- domain/workflow; a test compares them.

create or replace function summary_start(p_account text, p_call uuid)
returns table (kind text, name text, workflow_id text, input jsonb) language sql immutable as $$
  select 'start', 'summarizeCall', 'call_' || p_call || '/summary',
    jsonb_build_object('accountId', p_account, 'callId', p_call)
$$;

create or replace function analysis_start(p_account text, p_call uuid)
returns table (kind text, name text, workflow_id text, input jsonb) language sql immutable as $$
  select 'start', 'analyzeCall', 'call_' || p_call || '/analysis',
    jsonb_build_object('accountId', p_account, 'callId', p_call)
$$;

create or replace function delivery_start(p_account text, p_delivery text)
returns table (kind text, name text, workflow_id text, input jsonb) language sql immutable as $$
  select 'start', 'deliverWebhook', p_delivery, jsonb_build_object('accountId', p_account, 'deliveryId', p_delivery)
$$;

-- Creates the deliveries of the account's SIP webhooks for these attempts, in the transaction that commits their change: one
-- delivery and one start of its workflow for each webhook and event, however often it is called. The events are read from the
-- rows: call-started when an INVITE was let out, call-ringing, call-answered, and at the end call-hangup if it was answered,
-- call-missed if not, and call-analyzed once its analysis is over. Events from before the webhook was made are not delivered.
--
-- Accounts without webhooks pay for one look at an index. The payload is frozen here, and shows the call as it was at the
-- event, without later events of the same attempt. `timelog` is that of domain/call/timelog.ts; a test compares the two.
drop function if exists announce_attempts;
create function announce_attempts(p_calls uuid[], p_numbers smallint[]) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  if not exists (
    select 1 from sip_webhooks w
    where w.account_id in (select c.account_id from calls c where c.id = any (p_calls))
  ) then return; end if;

  with attempts as (
    select a.* from unnest(p_calls, p_numbers) as z (call_id, number)
    join call_attempts a on a.call_id = z.call_id and a.number = z.number
  ),
  -- Against its deletion: the deliveries of a webhook that is being deleted are not made.
  hooks as materialized (
    select w.* from sip_webhooks w where w.account_id in (select a.account_id from attempts a) for key share
  ),
  happened as (
    select a.call_id, a.number, e.* from attempts a join calls c on c.id = a.call_id cross join lateral (values
      (1, 'call-started', 'initiated', a.dialed_at),
      (2, 'call-ringing', 'ringing', a.ringing_at),
      (3, 'call-answered', 'answered', a.answered_at),
      (4, case when a.answered_at is null then 'call-missed' else 'call-hangup' end,
        case a.outcome when 'answered' then 'ended' else a.outcome end,
        case when a.phase = 'ended' then a.ended_at end),
      (5, 'call-analyzed', 'ended', case when a.number = c.attempts_made then c.analyzed_at end)
    ) as e (step, event, status, at)
    where e.at is not null
  ),
  due as (
    select h.*, w.id as webhook_id, w.url from happened h
    join calls c on c.id = h.call_id
    join hooks w on w.account_id = c.account_id and h.event = any (w.events) and w.created_at <= h.at
    where not exists (
      select 1 from webhook_deliveries d
      where d.call_id = h.call_id and d.attempt = h.number and d.event = h.event and d.sip_webhook_id = w.id)
  ),
  told as (
    select distinct on (h.call_id, h.number, h.step) h.call_id, h.number, h.step,
      '{"webhookType":' || to_json(h.event) || ',"data":{' || trim(both '{}' from json_strip_nulls(json_build_object(
        'id', 'call_' || c.id, 'type', c.type,
        'status', case when h.step = 1 and c.type = 'inbound' then 'incoming' else h.status end, 'from', c.from_number, 'to', c.to_number,
        'roomId', own_room(c.account_id, a.room), 'gatewayId', c.gateway_id, 'ruleId', c.rule_id, 'region', c.region,
        'agentId', c.agent_id, 'versionId', a.version_id, 'batchId', c.batch_id, 'recipientId', c.recipient_id, 'variant', c.variant, 'attempt', h.number,
        'callbackOf', 'call_' || c.callback_of, 'calledBackBy', 'call_' || c.called_back_by,
        'simulated', c.simulated,
        'answeredBy', case when h.step >= 3 then a.answered_by end,
        'duration', case when h.step >= 4 then extract(epoch from a.ended_at - a.answered_at)::float8 end,
        'sipStatusCode', case when h.step >= 4 then a.sip_status_code end,
        'reason', case when h.step >= 4 then a.reason end,
        'analysis', case when h.step = 5 then c.analysis end, 'success', case when h.step = 5 then c.success end,
        'analysisError', case when h.step = 5 then c.analysis_error end))::text)
      || ',"metadata":' || c.metadata || ',"timelog":' || timelog_until(c.id, h.number, h.step) || '}}' as payload
    from due h
    join calls c on c.id = h.call_id
    join attempts a on a.call_id = h.call_id and a.number = h.number
  ),
  made as (
    insert into webhook_deliveries (id, account_id, call_id, sip_webhook_id, attempt, event, endpoint, payload)
    select 'whd_' || uuidv7(), c.account_id, d.call_id, d.webhook_id, d.number, d.event, d.url, t.payload
    from due d
    join told t on t.call_id = d.call_id and t.number = d.number and t.step = d.step
    join calls c on c.id = d.call_id
    order by d.at, d.step
    on conflict (call_id, attempt, event, sip_webhook_id) where sip_webhook_id is not null do nothing
    returning id, account_id
  )
  insert into outbox (kind, name, workflow_id, input)
  select s.* from made m cross join delivery_start(m.account_id, m.id) s;
end $$;

-- The timelog of a call up to this step of an attempt (1 dialed, 2 ringing, 3 answered, 4 ended, 5 analyzed): JSON, the
-- words and the order of domain/call/timelog.ts. Time never runs backwards for the reader.
create or replace function timelog_until(p_call uuid, p_number integer, p_step integer) returns text
language sql stable as $$
  with entries as (
    select 0 as number, 0 as step, 0::bigint as transfer, 0 as part,
      case c.type when 'inbound' then 'incoming' else 'initiated' end as status, c.created_at as at
    from calls c where c.id = p_call
    union all
    select a.number, e.step, 0, 0, e.status, e.at
    from call_attempts a cross join lateral (values
      (1, 'initiated', case when a.number > 1 then a.dialed_at end),
      (2, 'ringing', a.ringing_at),
      (3, 'answered', a.answered_at),
      (4, case a.outcome when 'answered' then 'ended' else a.outcome end, case when a.phase = 'ended' then a.ended_at end)
    ) as e (step, status, at)
    where a.call_id = p_call and e.at is not null
      and (a.number < p_number or (a.number = p_number and e.step <= p_step))
    union all
    select t.number, 3, t.id, e.part, e.status, e.at
    from call_transfers t cross join lateral (values
      (1, 'transfer-initiated', t.requested_at),
      (2, case t.status when 'transferred' then 'transferred' else 'transfer-failed' end, t.ended_at)
    ) as e (part, status, at)
    where t.call_id = p_call and e.at is not null and (t.number < p_number or (t.number = p_number and p_step >= 4))
  ),
  forwards as (
    select e.*, max(e.at) over (order by e.number, e.step, e.transfer, e.part rows unbounded preceding) as latest
    from entries e
  )
  select json_agg(json_build_object('status', f.status,
    'timestamp', to_char(f.latest at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    order by f.number, f.step, f.transfer, f.part)::text
  from forwards f
$$;

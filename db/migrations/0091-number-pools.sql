-- Batches that call from several numbers of one gateway: the first of `phone_numbers` is `from_number`, too.
alter table batches
  add column phone_numbers text[],
  add column number_on_retry text check (number_on_retry in ('same', 'other'));

alter table call_attempts
  -- Chosen by the claim from the batch's numbers; null: the call's own
  add column caller text,
  -- How far each of the batch's numbers is from the callee, in their order
  add column number_ranks smallint[];

-- As in 0056-figures.sql, with the number that each attempt was made from.
create or replace function counted_figures(p_account text, p_batch text)
returns table (
  day date, hour timestamp, attempt smallint, status text, reason text, sip_status_code integer, answered_by text,
  phone_number text, calls integer, attempts integer, answered integer, human integer, machine integer, talk_ms bigint)
language sql stable as $$
  with own as materialized (
    select c.*, b.timezone from calls c left join batches b on b.id = c.batch_id
    where c.account_id = p_account and c.type = 'outbound'
      and (c.batch_id = p_batch or (p_batch = '' and c.batch_id is null)) and (c.settled or c.attempts_made > 0)
  ),
  made as materialized (
    select a.*, c.attempts_made, coalesce(a.caller, c.from_number) as made_from,
      coalesce(a.callee_hour, hour_in_zone(a.dialed_at, c.timezone)) as hour
    from own c join call_attempts a on a.call_id = c.id and a.number <= c.attempts_made and a.phase = 'ended'
  )
  select m.hour::date, m.hour, m.number, m.outcome, m.reason, m.sip_status_code,
    case when m.outcome = 'answered' then coalesce(m.answered_by, 'unknown') end, m.made_from, 0, 1,
    (m.outcome = 'answered')::integer, (m.outcome = 'answered' and m.answered_by is not distinct from 'human')::integer,
    (m.outcome = 'answered' and m.answered_by is not distinct from 'machine')::integer,
    case when m.outcome = 'answered' then coalesce(round(extract(epoch from m.ended_at - m.answered_at) * 1000), 0) else 0 end::bigint
  from made m
  union all
  select coalesce(m.hour::date, (coalesce(c.ended_at, c.updated_at) at time zone 'UTC')::date), m.hour, nullif(c.attempts_made, 0::smallint), c.status,
    c.reason, c.sip_status_code, case when c.status = 'answered' then coalesce(c.answered_by, 'unknown') end, c.from_number,
    1, 0, 0, 0, 0, 0
  from own c left join made m on m.call_id = c.id and m.number = c.attempts_made
  where c.settled
$$;

-- Calls of a batch whose `next_attempt_at` lies between these instants. It is that of the attempt before (by the retry plan, or
-- promised to the callee), the recipient's own `not_before`, or the due instant of an attempt that the carrier has sent back: each has its index.
create or replace function calls_due_between(p_batch text, p_from timestamptz, p_before timestamptz) returns setof calls
language sql stable as $$
  select c.* from calls c
  where c.batch_id = p_batch and c.next_attempt_at > p_from and c.next_attempt_at < p_before and c.id in (
    select a.call_id from call_attempts a
    where a.batch_id = p_batch and a.next_attempt_at > p_from and a.next_attempt_at < p_before
    union
    select n.id from calls n where n.batch_id = p_batch and n.not_before > p_from and n.not_before < p_before
    union
    select a.call_id from batches b join call_attempts a on a.gateway_id = b.gateway_id and a.lane = b.id
    where b.id = p_batch and a.phase = 'queued' and a.due_at > p_from and a.due_at < p_before)
$$;

-- Recipients of a batch that wait, by zones, hold and instant: a list of [zones, hold, first instant, calls]. A hold whose instant
-- has come holds no longer. By pieces of a quarter of an hour, because windows open and close on such.
--
-- Rows of `batch_waits` tell instants within 30 seconds. Those of the 30 seconds that run now are both over and ahead: how many
-- are ahead is counted. What guardrails hold is not: all of a row have one instant.
--
-- Without seqscan, because a planner that has seen the rows of few batches would read those of all; without sort, because texts
-- sort slowly.
create or replace function groups_of_waits(p_batch text) returns json language sql stable set enable_seqscan = off set enable_sort = off as $$
  with ahead as materialized (
    select k.zones, k.hold, min(k.instant) as until, count(*) as calls
    from calls_due_between(p_batch, statement_timestamp(),
      date_bin('30 seconds', statement_timestamp(), 'epoch') + interval '30 seconds') c
    cross join lateral wait_of(c.time_zones, c.next_attempt_at, c.not_before, c.held_until, c.held_by) k
    where c.status in ('pending', 'retrying') and k.hold in ('retry_delay', 'not_before', 'callback')
    group by k.zones, k.hold
  ),
  groups as (
    select w.zones, z.hold, case when z.hold <> '' then min(w.earliest) end as until, sum(w.calls) as calls
    from batch_waits w
    cross join lateral (select case
      when w.hold in ('retry_delay', 'not_before', 'callback') and w.due <= statement_timestamp() then ''
      when w.earliest > statement_timestamp() then w.hold
      else '' end as hold) z
    where w.batch_id = p_batch
    group by w.zones, z.hold, case when z.hold <> '' then date_bin('15 minutes', w.due, 'epoch') end
    union all
    select a.zones, a.hold, a.until, a.calls from ahead a
    union all
    select a.zones, '', null, -a.calls from ahead a
  )
  select coalesce(json_agg(json_build_array(g.zones, g.hold, g.until, g.calls)), '[]') from (
    select s.zones, s.hold, s.until, sum(s.calls) as calls from groups s
    group by s.zones, s.hold, s.until having sum(s.calls) <> 0) g
$$;

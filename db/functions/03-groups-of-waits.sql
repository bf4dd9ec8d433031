-- Recipients of a batch that wait, by zones, hold and instant: a list of [zones, hold, first instant, calls]. A hold whose instant
-- has come holds no longer. By pieces of a quarter of an hour, because windows open and close on such.
--
-- Rows of `batch_waits` tell instants within 30 seconds. Those of the 30 seconds that run now are both over and ahead: how many
-- are ahead is counted by `calls_by_next_attempt`. What guardrails hold is not: all of a row have one instant.
--
-- Without seqscan, because a planner that has seen the rows of few batches would read those of all; without sort, because texts
-- sort slowly.
create or replace function groups_of_waits(p_batch text) returns json language sql stable set enable_seqscan = off set enable_sort = off as $$
  with ahead as materialized (
    select k.zones, k.hold, min(k.instant) as until, count(*) as calls
    from calls c
    cross join lateral wait_of(c.time_zones, c.next_attempt_at, c.not_before, c.held_until, c.held_by) k
    where c.batch_id = p_batch and c.status in ('pending', 'retrying') and c.next_attempt_at > statement_timestamp()
      and c.next_attempt_at < date_bin('30 seconds', statement_timestamp(), 'epoch') + interval '30 seconds'
      and k.hold in ('retry_delay', 'not_before')
    group by k.zones, k.hold
  ),
  groups as (
    select w.zones, z.hold, case when z.hold <> '' then min(w.earliest) end as until, sum(w.calls) as calls
    from batch_waits w
    cross join lateral (select case
      when w.hold in ('retry_delay', 'not_before') and w.due <= statement_timestamp() then ''
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

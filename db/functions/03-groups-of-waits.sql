-- Recipients of a batch that wait, by zones, hold and instant: a list of [zones, hold, first instant, calls]. A hold whose instant
-- has come holds no longer. By pieces of a quarter of an hour, because windows open and close on such. Without seqscan,
-- because a planner that has seen the rows of few batches would read those of all; without sort, because texts sort slowly.
create or replace function groups_of_waits(p_batch text) returns json language sql stable set enable_seqscan = off set enable_sort = off as $$
  select coalesce(json_agg(json_build_array(g.zones, g.hold, g.until, g.calls)), '[]') from (
    select w.zones, z.hold, case when z.hold <> '' then min(w.earliest) end as until, sum(w.calls) as calls
    from batch_waits w
    cross join lateral (select case when w.earliest > statement_timestamp() then w.hold else '' end as hold) z
    where w.batch_id = p_batch
    group by w.zones, z.hold, case when z.hold <> '' then date_bin('15 minutes', w.due, 'epoch') end) g
$$;

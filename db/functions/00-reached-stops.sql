-- What the calls of a batch have cost so far, in millionths, and how many answered attempts had no price: sums of its figures, under
-- one dimension that has each attempt once, and of what is still to be added to them, of one instant. One row.
create or replace function priced_of_batch(p_account text, p_batch text)
returns table (cost bigint, unpriced bigint) language sql stable as $$
  select coalesce(sum(z.cost), 0)::bigint, coalesce(sum(z.unpriced), 0)::bigint from (
    select f.cost, f.unpriced from figures f where f.account_id = p_account and f.batch_id = p_batch and f.dimension = 'status'
    union all
    select n.cost, n.unpriced from figure_changes n where n.account_id = p_account and n.batch_id = p_batch) z
$$;

create or replace function cost_of_batch(p_account text, p_batch text) returns bigint language sql stable as $$
  select z.cost from priced_of_batch(p_account, p_batch) z
$$;

-- Which of its stop conditions a batch has come to; null: none, or it does not run. Names as in domain/batch/stops.ts.
create or replace function reached_stop(b batches, p_instant timestamptz) returns text language sql stable as $$
  select case
    when b.status not in ('running', 'scheduled') then null
    when b.stop_at <= p_instant then 'until'
    when b.stop_after_answered <= (select k.answered from batch_counters k where k.batch_id = b.id) then 'answered'
    when b.stop_after_success <= (
      select count(*) from (select 1 from calls c where c.batch_id = b.id and c.success limit b.stop_after_success) s)
      then 'success'
    when b.max_cost is not null and cost_of_batch(b.account_id, b.id) >= b.max_cost then 'maxCost' end
$$;

-- Whether nothing of a batch may be dialed by its stop conditions. Calls that are being talked on count as answers: if they
-- end otherwise, the batch goes on. One that is dialed at the instant `stop_at` is dialed too late. What live calls will cost is not
-- known. Successes are counted where one is stored, and stop the batch there. Columns and no row: a row is put together for each batch.
drop function if exists holds_for_stop(text, timestamptz, integer, timestamptz);
create or replace function holds_for_stop(
  p_account text, p_batch text, p_stop_at timestamptz, p_stop_after_answered integer, p_max_cost bigint, p_instant timestamptz)
returns boolean language sql stable as $$
  select coalesce(p_stop_at <= p_instant, false)
    or p_stop_after_answered is not null and coalesce(
      (select k.answered + k.in_progress >= p_stop_after_answered from batch_counters k where k.batch_id = p_batch), false)
    or p_max_cost is not null and cost_of_batch(p_account, p_batch) >= p_max_cost
$$;

-- Which of its stop conditions a batch has come to; null: none, or it does not run. Names as in domain/batch/stops.ts.
create or replace function reached_stop(b batches, p_instant timestamptz) returns text language sql stable as $$
  select case
    when b.status not in ('running', 'scheduled') then null
    when b.stop_at <= p_instant then 'until'
    when b.stop_after_answered <= (select k.answered from batch_counters k where k.batch_id = b.id) then 'answered'
    when b.stop_after_success <= (
      select count(*) from (select 1 from calls c where c.batch_id = b.id and c.success limit b.stop_after_success) s)
      then 'success' end
$$;

-- Whether nothing of a batch may be dialed by its stop conditions. Calls that are being talked on count as answers: if they
-- end otherwise, the batch goes on. One that is dialed at the instant `stop_at` is dialed too late.
create or replace function holds_for_stop(
  p_batch text, p_stop_at timestamptz, p_stop_after_answered integer, p_instant timestamptz)
returns boolean language sql stable as $$
  select coalesce(p_stop_at <= p_instant, false) or p_stop_after_answered is not null and coalesce(
    (select k.answered + k.in_progress >= p_stop_after_answered from batch_counters k where k.batch_id = p_batch), false)
$$;

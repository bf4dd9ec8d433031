-- Counts who answered the calls of batches from before 0041-batch-waits.sql, one batch in each transaction. A statement that changes
-- a call of that batch meanwhile waits for its counters, and adds to what was counted here.
create procedure fill_who_answered() language plpgsql as $$
declare
  batch text;
begin
  for batch in select batch_id from batch_counters where answered > 0 loop
    perform 1 from batch_counters where batch_id = batch for update;
    update batch_counters k set human = n.human, machine = n.machine
    from (
      select count(*) filter (where c.answered_by = 'human') as human,
        count(*) filter (where c.answered_by = 'machine') as machine
      from calls c where c.batch_id = batch and c.status = 'answered') n
    where k.batch_id = batch;
    commit;
  end loop;
end $$;

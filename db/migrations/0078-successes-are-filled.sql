-- Outside a transaction.
drop procedure if exists fill_facts_of_ends();
-- Reads all calls once; nobody is kept from reading or writing.
update call_attempts a set success = c.success
from calls c
where c.success is not null and a.call_id = c.id and a.success is null and a.number = (
  select max(l.number) from call_attempts l
  where l.call_id = c.id and l.number <= c.attempts_made and l.phase = 'ended' and l.outcome = 'answered');

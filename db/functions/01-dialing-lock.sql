-- The lock between the gates and whoever forbids an account's calls: gates share it while they decide; who stops dialing,
-- changes the guardrails or adds to the do-not-call list takes it alone as the last thing before the commit. So an answer
-- to them has waited for every gate before it, and every gate after it sees what they wrote.
create or replace function share_dialing_lock(account_id text) returns void language sql as $$
  select pg_advisory_xact_lock_shared(hashtextextended('dialing ' || account_id, 0))
$$;

create or replace function take_dialing_lock(account_id text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('dialing ' || account_id, 0))
$$;

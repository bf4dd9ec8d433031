-- The lock between the gates and the transactions that forbid an account's calls. Gates share it while they decide. A
-- transaction that stops dialing, changes the guardrails or adds to the do-not-call list takes it alone as its last step before
-- the commit. So its answer has waited for every gate before it, and every gate after it sees what it wrote. Stopping all
-- dialing of the service takes the lock that every gate shares, whatever its account.
create or replace function share_dialing_lock(account_id text) returns void language sql as $$
  select pg_advisory_xact_lock_shared(hashtextextended('dialing', 0));
  select pg_advisory_xact_lock_shared(hashtextextended('dialing ' || account_id, 0))
$$;

create or replace function take_dialing_lock(account_id text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('dialing ' || account_id, 0))
$$;

create or replace function take_service_dialing_lock() returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('dialing', 0))
$$;

-- The instant since which nothing of an account is dialed: it has stopped all dialing, it is suspended, or the operator has
-- stopped the dialing of all accounts. null: it dials.
create or replace function dialing_held_since(p_account accounts) returns timestamptz language sql stable as $$
  select coalesce(p_account.suspended_at, p_account.dialing_stopped_at,
    (select s.dialing_stopped_at from service_state s))
$$;

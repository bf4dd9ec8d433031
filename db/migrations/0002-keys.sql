-- What a key's tokens may do at most; null: everything.
alter table api_keys add column permissions text[]
  check (permissions is null or (cardinality(permissions) > 0 and permissions <@ array['read', 'playground']));

-- Keys of an account, newest first, as they are listed.
create index api_keys_newest on api_keys (account_id, created_at desc, id desc);
drop index api_keys_by_account;

-- The audit log by what it can be filtered by; newest first in each.
create index audit_log_by_target on audit_log (account_id, target, id desc);
create index audit_log_by_key on audit_log (account_id, key_id, id desc);
create index audit_log_by_action on audit_log (account_id, action text_pattern_ops, id desc);
create index audit_log_by_time on audit_log (account_id, at);

-- Single calls that are not over, by agent: an agent is not deleted under one. A batch's are covered by the batch.
create index calls_single_unsettled_by_agent on calls (agent_id) where batch_id is null and not settled;

-- Deploys that are still to be decided, as the watchdog looks for them.
create index deployments_pending on deployments (id) where status = 'pending';

-- ------------------------------------------------------------------------------------------------------- usage

create index batches_unfinished_by_account on batches (account_id)
  where status not in ('parse_failed', 'cancelled', 'completed');
create index batch_files_by_account on batch_files (account_id) include (byte_size);

-- What an account has used, day by day (UTC). One row for each of the database's processes that has counted something: a
-- row has one writer, so that counting never waits for anybody. Not tied to the calls: what was used stays used when they
-- are deleted.
create table usage_days (
  account_id text not null,
  day date not null,
  backend integer not null,
  -- People called for the first time, attempts that reached the carrier, calls that were answered, seconds talked
  calls bigint not null default 0,
  attempts bigint not null default 0,
  answered bigint not null default 0,
  talk_seconds double precision not null default 0,
  primary key (account_id, day, backend)
) with (fillfactor = 50);

-- Keeps usage_days right whichever statement changes calls.
create function count_usage() returns trigger language plpgsql as $$
begin
  insert into usage_days as u (account_id, day, backend, calls, attempts, answered, talk_seconds)
  select account_id, (clock_timestamp() at time zone 'UTC')::date, pg_backend_pid(),
    sum(sign * (attempts_made > 0)::integer), sum(sign * attempts_made), sum(sign * (status = 'answered')::integer),
    sum(sign * coalesce(talk_seconds, 0))
  from (
    select account_id, status, attempts_made, talk_seconds, 1 as sign from new_calls
    where attempts_made > 0 or status = 'answered'
    union all
    select account_id, status, attempts_made, talk_seconds, -1 from old_calls
    where attempts_made > 0 or status = 'answered'
  ) changed
  group by account_id
  having sum(sign * attempts_made) <> 0 or sum(sign * (status = 'answered')::integer) <> 0
    or sum(sign * coalesce(talk_seconds, 0)) <> 0
  on conflict (account_id, day, backend) do update set
    calls = u.calls + excluded.calls, attempts = u.attempts + excluded.attempts,
    answered = u.answered + excluded.answered, talk_seconds = u.talk_seconds + excluded.talk_seconds;
  return null;
end $$;
create trigger usage_is_counted after update on calls
  referencing old table as old_calls new table as new_calls
  for each statement execute function count_usage();

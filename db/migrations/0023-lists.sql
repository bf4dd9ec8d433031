-- What lists of calls need so that years of history lengthen none of them.

-- Part of a number is looked for by an index of its groups of three characters.
create extension if not exists pg_trgm;

-- Of the two numbers of a call, the account's own and the callee's or caller's. Part of indexes: never to be changed.
create function own_number(type text, to_number text, from_number text) returns text
language sql immutable parallel safe as $$ select case type when 'inbound' then to_number else from_number end $$;
create function other_number(type text, to_number text, from_number text) returns text
language sql immutable parallel safe as $$ select case type when 'inbound' then from_number else to_number end $$;

-- The status in which a call settled; null while it is open. An index may hold it, because it changes once: with `status` in an
-- index every change of an open call would write all of them.
alter table calls add column ended_as text;

create function keep_call_end() returns trigger language plpgsql as $$
begin
  new.ended_as := case when new.status in ('pending', 'dialing', 'in-progress', 'retrying') then null else new.status end;
  return new;
end $$;
-- By its name the last of the triggers before an update: that of erased calls may change the status.
create trigger settled_calls_keep_their_end before update on calls
  for each row when (
    new.ended_as is distinct from
    case when new.status in ('pending', 'dialing', 'in-progress', 'retrying') then null else new.status end)
  execute function keep_call_end();

-- No trigger before an insert: with one, COPY would store the rows of a file one by one.
create function keep_end_of_new_call() returns trigger language plpgsql as $$
begin
  update calls set ended_as = status where id = new.id;
  return null;
end $$;
create trigger new_settled_calls_keep_their_end after insert on calls
  for each row when (new.settled and new.ended_as is null) execute function keep_end_of_new_call();

-- Calls that settled before there was the column, a piece at a time. Each of the five passes takes every fifth row, so that
-- the free fifth of each page holds the new versions: no index is written for them, and the table does not grow.
create procedure fill_ends_of_calls() language plpgsql as $$
declare
  done uuid;
  last uuid;
begin
  for pass in 0..4 loop
    done := '00000000-0000-0000-0000-000000000000';
    loop
      select max(p.id::text)::uuid into last from (select id from calls where id > done order by id limit 20000) p;
      exit when last is null;
      update calls set ended_as = status
      where id > done and id <= last and settled and ended_as is null and abs(hashtext(id::text)) % 5 = pass;
      commit;
      done := last;
    end loop;
  end loop;
end $$;

-- How many calls an account has: a few rows for each, so that those who add calls seldom wait for each other. A batch's are
-- counted with its counters, whose sum never changes; single ones as they come and go.
create table call_totals (
  account_id text not null,
  slot smallint not null,
  calls bigint not null default 0,
  primary key (account_id, slot)
) with (fillfactor = 50);

create function add_to_call_total(p_account text, p_calls bigint) returns void language sql as $$
  insert into call_totals as t (account_id, slot, calls) values (p_account, (pg_backend_pid() % 16)::smallint, p_calls)
  on conflict (account_id, slot) do update set calls = t.calls + excluded.calls
$$;

create function calls_of_counters(c batch_counters) returns bigint language sql immutable as $$
  select (c.pending + c.dialing + c.in_progress + c.retrying + c.answered + c.failed + c.not_answered + c.rejected + c.missed
    + c.abandoned + c.cancelled)::bigint
$$;

-- Whose the counters are: their batch may be gone already when they are deleted with it.
alter table batch_counters add column account_id text;
update batch_counters k set account_id = b.account_id from batches b where b.id = k.batch_id;
create function name_account_of_counters() returns trigger language plpgsql as $$
begin
  new.account_id := (select b.account_id from batches b where b.id = new.batch_id);
  return new;
end $$;
create trigger counters_name_their_account before insert on batch_counters
  for each row execute function name_account_of_counters();

create function count_calls_of_batch() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then perform add_to_call_total(new.account_id, calls_of_counters(new));
  else perform add_to_call_total(old.account_id, -calls_of_counters(old)); end if;
  return null;
end $$;
create function count_single_call() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then perform add_to_call_total(new.account_id, 1);
  else perform add_to_call_total(old.account_id, -1); end if;
  return null;
end $$;
-- At the end of the transaction, so that the rows are locked only for its commit.
create constraint trigger calls_of_batches_are_totalled after insert or delete on batch_counters
  deferrable initially deferred for each row execute function count_calls_of_batch();
create constraint trigger new_single_calls_are_totalled after insert on calls
  deferrable initially deferred for each row when (new.batch_id is null) execute function count_single_call();
create constraint trigger deleted_single_calls_are_totalled after delete on calls
  deferrable initially deferred for each row when (old.batch_id is null) execute function count_single_call();

-- Nobody adds a call between the triggers and this: they have locked the tables until the commit.
insert into call_totals (account_id, slot, calls)
select account_id, 0, sum(calls) from (
  select k.account_id, calls_of_counters(k) as calls from batch_counters k where k.account_id is not null
  union all
  select c.account_id, count(*) from calls c where c.batch_id is null group by c.account_id
) counted group by account_id;

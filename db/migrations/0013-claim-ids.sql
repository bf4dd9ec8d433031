-- A claim has an identity of its own. Who holds an attempt, or follows its leg, carries it; every later statement about the
-- attempt compares it, so that what a dialer does late, after others have claimed the attempt or taken its leg over,
-- changes nothing.
--
-- The database gives it, whoever writes: a new one whenever an attempt changes hands, none when it goes back to the queue.
-- Null where it has not changed hands since before this migration.
alter table call_attempts add column claim_id uuid;

create function renew_claim_id() returns trigger language plpgsql as $$
begin
  new.claim_id := case when new.claimed_by is not null then gen_random_uuid() end;
  return new;
end $$;
create trigger claims_have_their_own_ids before update of claimed_by on call_attempts
  for each row when (new.claimed_by is distinct from old.claimed_by)
  execute function renew_claim_id();
create trigger claims_have_their_own_ids_from_the_start before insert on call_attempts
  for each row when (new.claimed_by is not null)
  execute function renew_claim_id();

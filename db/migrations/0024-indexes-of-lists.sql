-- Outside a transaction.
-- Minutes for each ten million calls; nobody is kept from reading or writing.
call fill_ends_of_calls();

-- Lists of calls by what they can be filtered by, newest first in each. None of these columns changes, but for ended_as, once.
create index concurrently if not exists calls_by_end on calls (account_id, ended_as, created_at desc, id desc) where settled;
create index concurrently if not exists calls_by_gateway on calls (gateway_id, created_at desc, id desc);
create index concurrently if not exists calls_by_rule on calls (rule_id, created_at desc, id desc);
create index concurrently if not exists calls_inbound_by_account on calls (account_id, created_at desc, id desc)
  where type = 'inbound';
create index concurrently if not exists calls_single_in_room on calls
  (account_id, (options ->> 'destinationRoomId'), created_at desc, id desc) where options is not null;
drop index concurrently if exists calls_single_by_room;
-- A search is for part of a number. The account's own numbers are few and share their beginnings: they are looked through
-- one by one, and this index has the calls of each.
create index concurrently if not exists calls_by_own_number on calls
  (account_id, own_number(type, to_number, from_number), created_at desc, id desc);
-- Those of callees and callers are millions.
create index concurrently if not exists calls_by_part_of_number on calls using gin (other_number(type, to_number, from_number) gin_trgm_ops);

-- Outside a transaction.
-- Reads the whole table once; nobody is kept from reading or writing.
call fill_rooms_of_calls();

create index concurrently if not exists calls_by_room on calls (account_id, ended_room, created_at desc, id desc)
  where ended_room is not null;
-- The calls of a gateway or of a rule that ended in one way, newest first. All of them are merged out of these, open ones
-- (without an end) among them.
create index concurrently if not exists calls_by_gateway_and_end on calls (gateway_id, ended_as, created_at desc, id desc);
create index concurrently if not exists calls_by_rule_and_end on calls (rule_id, ended_as, created_at desc, id desc);
drop index concurrently if exists calls_by_gateway;
drop index concurrently if exists calls_by_rule;
-- Rooms of settled calls have their own.
create index concurrently if not exists calls_open_in_room on calls (account_id, (options ->> 'destinationRoomId'))
  where options is not null and not settled;
drop index concurrently if exists calls_single_in_room;

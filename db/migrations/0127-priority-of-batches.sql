-- Its share of a gateway that several batches keep busy: 1 most, 9 least.
alter table batches add column priority smallint not null default 5;
alter table batches add constraint batches_priority_check check (priority between 1 and 9) not valid;

-- Of batches that share a gateway: the turns by which each is ahead of the one that is served next; null if none is.
alter table gateway_admission add column lane_turns jsonb;

-- What a recipient asks of the order: 1 is called first, 9 last; null: 5. Not dialed before `not_before`, which is the call's
-- `next_attempt_at` until it is dialed.
alter table calls add column priority smallint check (priority between 1 and 9);
alter table calls add column not_before timestamptz;

-- Priorities that recipients of the batch have; null: it has none but 5, and its attempts have no priority.
alter table batches add column priorities smallint[];
-- All workflows of its calls are started at once, because calls of the last may be dialed before those of the first.
alter table batches add column starts_whole boolean not null default false;

-- That of its call, if the batch has several; null: the lane goes by due time alone.
alter table call_attempts add column priority smallint;

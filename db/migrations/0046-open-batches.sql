-- An open batch does not complete by itself: recipients are still to come.
alter table batches add column open boolean not null default false;
-- Groups of calls that were added to the batch by requests. They have places and workflows of their own, beyond those of its
-- file (domain/batch/fan-out.ts).
alter table batches add column added_groups integer not null default 0;

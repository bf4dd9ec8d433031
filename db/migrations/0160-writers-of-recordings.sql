-- The agent (LiveKit's job) that began the recording, or took it over, last: one that had stood still or lost LiveKit adds nothing more.
-- null: an agent of the version before.
alter table recordings add column writer text;

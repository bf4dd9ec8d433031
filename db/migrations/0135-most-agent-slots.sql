-- Calls that a worker takes at once when all its processes have loaded; null: a worker of the version before, which does not say.
alter table agent_workers add column most_slots integer check (most_slots >= 0);

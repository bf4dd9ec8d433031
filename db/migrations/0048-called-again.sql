-- An attempt that a client asked for after the call was over, outside the retry plan: none follows it by the plan.
alter table call_attempts add column again boolean not null default false;

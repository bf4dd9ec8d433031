-- Outside a transaction.
-- The calls of an agent that ended in one way, newest first, as those of a gateway or of a rule. Reads the whole table once; nobody is
-- kept from reading or writing.
create index concurrently if not exists calls_by_agent_and_end on calls (agent_id, ended_as, created_at desc, id desc);

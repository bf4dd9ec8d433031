-- Since when the agent of a caller is missing in their room, so that another is sent, and the call hung up if none comes.
alter table inbound_legs add agent_absent_since timestamptz;

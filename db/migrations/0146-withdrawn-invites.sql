-- INVITEs that an attempt had which a skip took out of the queue: whoever is called after all goes on after them, so that no INVITE
-- of the call is ever sent under a key that had been sent before. Null: none. The end of an attempt clears it.
alter table calls add column withdrawn_invites smallint;

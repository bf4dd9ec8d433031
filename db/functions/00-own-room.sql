-- The account's own name of a room: LiveKit knows it with the account in front (`liveKitRoom` in domain/call/room.ts). A room
-- without the account is one that an earlier version has named; its name is the account's own as it stands.
create or replace function own_room(p_account text, p_room text) returns text
language sql immutable parallel safe as $$
  select case when starts_with(p_room, p_account || '.') then substr(p_room, length(p_account) + 2) else p_room end
$$;

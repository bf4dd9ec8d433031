-- How many INVITEs the gate has let out on a gateway, in pieces of five seconds: what is dialed now, whatever history there is.
-- A few rows for each piece, so that gates seldom wait for each other. Rows of the last hour are kept.
create table recent_dials (
  -- No foreign key: the gate is not to wait for who changes a gateway.
  gateway_id text not null,
  at timestamptz not null,
  slot smallint not null,
  dials integer not null,
  primary key (gateway_id, at, slot)
) with (fillfactor = 50);
create index recent_dials_by_age on recent_dials (at);

-- Of an outbound gateway: lines that batches leave free, for single calls and for what comes in over the same trunk.
alter table gateways add column reserved_calls integer not null default 0 check (reserved_calls >= 0);

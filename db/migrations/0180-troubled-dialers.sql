-- Whether a dialer says of itself, with each renewal of its lease, that it runs and does not do its work.
alter table dialer_processes add troubled boolean not null default false;

-- Reading a file is tried only so often: a file whose readers die takes a worker with it each time.
alter table batches
  -- Tries that were cut off: their process ended, or stopped answering, before it could say why.
  add column parse_tries integer not null default 0,
  -- The process that reads it, or read it last without saying how that ended
  add column parse_reader text;

-- Where a sweep that looks at a bounded number of rows in a round goes on in the next one.
create table sweep_places (
  sweep text primary key,
  batch_id text not null,
  position integer not null,
  updated_at timestamptz not null default clock_timestamp()
);

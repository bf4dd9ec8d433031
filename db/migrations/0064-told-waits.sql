-- What the workflow of a running batch was told last of what its recipients wait for: it is told again when the reasons change.
create table told_waits (
  batch_id text primary key references batches on delete cascade,
  -- The reasons that most of them waited for, separated by commas; empty: nothing of note
  reasons text not null,
  told_at timestamptz not null
);

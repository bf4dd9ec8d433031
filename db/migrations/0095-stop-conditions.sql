-- When a batch stops before everybody has been called: after so many answers or successes, or at an instant; null: it does not.
alter table batches
  add column stop_after_answered integer,
  add column stop_after_success integer,
  add column stop_at timestamptz,
  -- Which of these stopped it, and when: from then on nothing of it was let out.
  add column stopped_by text,
  add column stopped_at timestamptz;

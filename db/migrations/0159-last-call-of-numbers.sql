-- Which call `last_call_by` is of, and what it said before: if the INVITE of that call is never sent, the number may call by what it
-- said before. Null: several calls were let out at once, which a number with a least time between calls never has.
alter table counted_numbers
  add column last_call_id uuid,
  add column last_call_before timestamptz;

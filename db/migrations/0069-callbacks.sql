-- A time at which a recipient is called once more, outside the retry plan, because they asked for it.
alter table calls
  add column callback_at timestamptz,
  -- Number of the attempt that is made at that time. Once that attempt has been made, the call waits for none.
  add column callback_attempt smallint,
  -- How often the recipient has been promised one.
  add column callbacks smallint not null default 0,
  drop constraint calls_held_by_check,
  add constraint calls_held_by_check check (held_by in ('guardrail_hours', 'daily_limit', 'callback')) not valid;

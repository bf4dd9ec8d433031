-- Callers whom the account called lately: the inbound call says which call it answers, and that call says who called back.
alter table calls
  -- Of an inbound call: the outbound one whose callee calls back
  add column callback_of uuid,
  -- Of an outbound call: the latest inbound one by which its callee called back
  add column called_back_by uuid;

alter table routing_rules
  add column match_recent_days smallint,
  add constraint recent_calls_match_inbound check (
    match_recent_days is null or (match_recent_days between 1 and 90 and type = 'inbound'));

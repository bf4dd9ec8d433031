-- Tokens of a key that were issued before this are refused; null: none are for that reason.
alter table api_keys add column tokens_not_before timestamptz;

-- `operate` is everything but guardrails; `guardrails` is those. A process of the version before refuses what it does not know.
alter table api_keys drop constraint api_keys_permissions_check;
alter table api_keys add constraint api_keys_permissions_check check (
  permissions is null
  or (cardinality(permissions) > 0 and permissions <@ array['read', 'playground', 'operate', 'guardrails']));

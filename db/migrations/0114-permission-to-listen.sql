-- `listen` is hearing live calls and whispering to their agents; `operate` does not hold it. A process of the version before refuses what
-- it does not know.
alter table api_keys drop constraint api_keys_permissions_check;
alter table api_keys add constraint api_keys_permissions_check check (
  permissions is null
  or (cardinality(permissions) > 0 and permissions <@ array['read', 'playground', 'operate', 'guardrails', 'listen']));

-- A gateway that was made by registering numbers goes when the last of them is detached, so that they can be registered
-- again; one that was made by itself stays until it is deleted. Those there are were all made with their numbers.
alter table gateways add column made_with_numbers boolean not null default true;
alter table gateways alter column made_with_numbers set default false;

-- Lists show the gateways of one direction; this index serves what the other did.
create index gateways_by_direction on gateways (account_id, direction, created_at desc, id desc);
drop index gateways_by_account;

-- What still uses a gateway or a rule that is to go: asked before every detach, delete and change of numbers.
create index batches_unfinished_by_gateway on batches (gateway_id)
  where status not in ('parse_failed', 'cancelled', 'completed');
create index batches_unfinished_by_rule on batches (rule_id)
  where status not in ('parse_failed', 'cancelled', 'completed');
create index calls_single_unsettled_by_gateway on calls (gateway_id) where batch_id is null and not settled;
create index calls_single_unsettled_by_rule on calls (rule_id) where batch_id is null and not settled;

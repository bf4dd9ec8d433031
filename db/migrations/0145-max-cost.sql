-- What the calls of a batch may cost, in millionths of the currency of its account: then it stops; null: any amount.
alter table batches add column max_cost bigint;

-- Revision of the account's guardrails by which the times of the batch's queue are still to be worked out again; null: none.
-- Unlike window_moving it holds nothing: the gate knows by which guardrails each call was judged.
alter table batches add column guardrails_moving bigint;

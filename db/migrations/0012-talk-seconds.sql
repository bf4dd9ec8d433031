-- A sum of fractions, to which retries add and from which they take: it may end a hair below nothing, and no call may be kept
-- from ending by that.
alter table batch_counters drop constraint batch_counters_talk_seconds_check;

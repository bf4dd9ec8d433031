-- As for files of batch calls (0017): reading a document is given up if it costs readers, not if workers are restarted. `tries` counts
-- in lost workers now, a reader for several.
alter table knowledge_bases
  -- The process that reads it, or read it last without saying how that ended
  add column reader text;
comment on column knowledge_bases.tries is 'What has been lost over its document, in lost workers';

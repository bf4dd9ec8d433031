-- What was found out in a call, as its agent's config asks for it: {"appointment_kept": true, "reason": "…"}.
alter table calls
  add column analysis jsonb,
  -- Why an answered call whose agent analyzes has none
  add column analysis_error text,
  -- Value of the property that the config names as `success`; null: none is named, or it was not answered.
  add column success boolean,
  -- When the analysis came to its end, with or without a result
  add column analyzed_at timestamptz;
-- Whether calls of this version are analyzed, to be read where its config would have to be parsed.
alter table agent_versions add column analyzes boolean not null default false;
-- Names of the properties that calls of the batch were analyzed for: columns of its export.
alter table batches add column analysis_fields text[] not null default '{}';

-- Since when the provider has sent no call of the gateway, when it last failed to, and why: its account reads it with what its batch
-- calls wait for.
alter table gateway_admission
  add unsent_since timestamptz,
  add unsent_at timestamptz,
  add unsent_reason text;

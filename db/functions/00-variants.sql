-- Whether all agents among which a batch divides its recipients are active; without variants there is none that is not.
create or replace function are_variants_active(p_variants jsonb) returns boolean language sql stable as $$
  select p_variants is null or not exists (
    select 1 from jsonb_array_elements(p_variants) v
    where not exists (select 1 from agents a where a.id = v ->> 'agentId' and a.status = 'active'))
$$;

-- Whether the operator asks for grants of numbers and SIP hosts (OUTDIAL_REQUIRE_GRANTS).
create or replace function grants_required() returns boolean language sql stable parallel safe as $$
  select coalesce(operator_limit('requireGrants') = 'true'::jsonb, false)
$$;

-- Host of an address `host` or `host:port`, as it is granted: lower case, without brackets, port and final dot.
create or replace function sip_host(p_address text) returns text language sql immutable parallel safe as $$
  select rtrim(lower(coalesce(substring(p_address from '^\[([^\]]*)\]'), split_part(p_address, ':', 1))), '.')
$$;

-- Whether an account may use a number or a host; always, if the operator asks for no grants.
create or replace function is_granted(p_account text, p_kind text, p_value text) returns boolean
language sql stable parallel safe as $$
  select not grants_required()
    or exists (select 1 from grants g where g.account_id = p_account and g.kind = p_kind and g.value = p_value)
$$;

-- Whether the headers of a gateway name no other caller than numbers of the account: of the headers that carriers read
-- the caller from, each has to be one SIP or tel address whose user is a granted number. `Privacy` names no caller.
create or replace function callers_granted(p_account text, p_headers jsonb) returns boolean
language sql stable parallel safe as $$
  select not grants_required() or not exists (
    select 1 from jsonb_each_text(p_headers) h
    where lower(h.key) in ('p-asserted-identity', 'p-preferred-identity', 'remote-party-id', 'diversion')
      and not is_granted(p_account, 'number', coalesce(substring(h.value from
        '^<?(?:sips?|tel):(\+[1-9][0-9]{5,14})(?:@[A-Za-z0-9.-]+(?::[0-9]{1,5})?)?(?:;[A-Za-z0-9=.-]+)*>?(?:;[A-Za-z0-9=.-]+)*$'),
        '')))
$$;

-- Those of these that an account was not granted, as domain/account/grants.ts has it: empty lists if the operator asks for no grants.
-- Hosts may be addresses, and null.
create or replace function ungranted(p_account text, p_numbers text[], p_hosts text[], p_headers jsonb) returns json
language sql stable parallel safe as $$
  select json_build_object(
    'numbers', array(select n from unnest(p_numbers) n where not is_granted(p_account, 'number', n) order by n),
    'hosts', array(select distinct sip_host(h) from unnest(p_hosts) h
      where h is not null and not is_granted(p_account, 'host', sip_host(h)) order by 1),
    'headers', array(select h.key from jsonb_each(p_headers) h
      where not callers_granted(p_account, jsonb_build_object(h.key, h.value)) order by 1))
$$;

-- The part of a gateway that its account was not granted: 'host', or 'caller' for headers that name other callers; null: nothing.
create or replace function ungranted_of_gateway(p_gateway gateways) returns text language sql stable as $$
  select case
    when not is_granted(p_gateway.account_id, 'host', sip_host(p_gateway.address)) then 'host'
    when p_gateway.from_host is not null
      and not is_granted(p_gateway.account_id, 'host', sip_host(p_gateway.from_host)) then 'host'
    when not callers_granted(p_gateway.account_id, p_gateway.headers) then 'caller'
  end
  where grants_required()
$$;

-- Changes with every change of a gateway's settings.
create or replace function gateway_version(p_gateway gateways) returns text language sql stable as $$
  select extract(epoch from p_gateway.updated_at)::text
$$;

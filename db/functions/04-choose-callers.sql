-- The number that each claimed attempt of a batch with several numbers is made from, of those that may call now: the nearest to the
-- callee, of these the least used today, by the order of the batch if equal. A retry goes by the number of the try before
-- (`same`), or by one that the callee was called from least (`other`), as long as that may call today; it waits for its spacing.
--
-- `chosen` null and `wait_until` null: the batch has one number. `wait_until`: no number now; look again then.
drop function if exists choose_callers(text, uuid[], smallint[], timestamptz);
create function choose_callers(p_gateway text, p_calls uuid[], p_numbers smallint[], p_at timestamptz)
returns table (call_id uuid, number smallint, place bigint, chosen text, wait_until timestamptz)
language plpgsql stable as $$
declare
  needs_grants constant boolean := grants_required();
  held jsonb;
  item record;
  best record;
begin
  for item in
    select z.call_id, z.number, z.place, c.account_id, c.from_number, c.attempts_made, a.number_ranks, b.phone_numbers,
      coalesce(b.number_on_retry, 'same') as on_retry
    from unnest(p_calls, p_numbers) with ordinality as z (call_id, number, place)
    join calls c on c.id = z.call_id
    join call_attempts a on a.call_id = z.call_id and a.number = z.number
    left join batches b on b.id = c.batch_id
    order by z.place
  loop
    call_id := item.call_id; number := item.number; place := item.place; chosen := null; wait_until := null;
    if item.phone_numbers is not null then
      if held is null then
        select coalesce(jsonb_object_agg(k.e164, k.claimed), '{}') into held from (
          select coalesce(a.caller, c.from_number) as e164, count(*) as claimed
          from call_attempts a join calls c on c.id = a.call_id
          where a.gateway_id = p_gateway and a.phase = 'claimed' group by 1) k;
      end if;
      select o.* into best from (
        select n.e164, coalesce(item.number_ranks[m.place], 0) as rank, h.claimed + n.calls_today as used, m.place,
          number_free_at(n.row, p_at) as free_at,
          number_free_at(n.row, p_at) <= p_at and (n.min_seconds_between_calls is null or h.claimed = 0) as is_free,
          coalesce(calls_left_of_number(n.row, p_at) - h.claimed, 1) <= 0 as is_used_up,
          case when item.attempts_made = 0 then 0 when item.on_retry = 'same' then (n.e164 <> item.from_number)::integer
            else (select count(*) from call_attempts x where x.call_id = item.call_id and x.number < item.number and x.caller = n.e164)
          end as preference
        from unnest(item.phone_numbers) with ordinality as m (e164, place)
        join lateral (
          select q as row, q.e164, q.min_seconds_between_calls,
            case when q.day = (p_at at time zone q.timezone)::date then q.calls else 0 end as calls_today
          from counted_numbers q where q.account_id = item.account_id and q.e164 = m.e164) n on true
        cross join lateral (select coalesce((held ->> m.e164)::integer, 0) as claimed) h
        where not needs_grants or is_granted(item.account_id, 'number', m.e164)
      ) o
      order by o.is_used_up, o.preference, not o.is_free, o.rank, o.used, o.place
      limit 1;
      if best.e164 is not null and best.is_free and not best.is_used_up then
        chosen := best.e164;
        held := held || jsonb_build_object(best.e164, coalesce((held ->> best.e164)::integer, 0) + 1);
      else
        wait_until := greatest(coalesce(best.free_at, p_at + interval '10 seconds'), p_at + interval '200 milliseconds');
      end if;
    end if;
    return next;
  end loop;
end $$;

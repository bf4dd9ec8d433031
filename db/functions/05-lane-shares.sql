-- How batches share a gateway. A batch has the weight 10 - priority. The claim goes by two rules:
--
-- 1. First are those that have fewer live calls than their share of the lines by weight, rounded up; so batches with long calls
--    do not take the lines of batches with short ones. A batch that cannot use its share leaves it to the others.
-- 2. Of these, turns go by weight: each call that a batch starts puts it 1 / weight of a turn ahead, and who is least ahead is
--    next. So the calls per second and lines too few to be divided are shared by weight, too, and nobody waits for ever.
--
-- Only batches that wait for the same lines at the same moment are counted. Nothing is kept of a batch alone on its gateway.
--
-- The lines for each unit of weight, if `p_lines` are shared by batches that can use `p_most` each. In the order in which they have
-- enough, each that is satisfied leaves the others more, until the first that is not.
create or replace function share_by_weight(p_most double precision[], p_weights integer[], p_lines double precision)
returns double precision language sql immutable as $$
  select max((p_lines - r.used_before) / r.weights_left)
  from (
    select coalesce(sum(z.most) over (o rows between unbounded preceding and 1 preceding), 0) as used_before,
      sum(z.weight) over (o rows between current row and unbounded following) as weights_left
    from unnest(p_most, p_weights) with ordinality as z (most, weight, place)
    window o as (order by z.most / z.weight, z.place)
  ) r
$$;

-- How far each batch of a gateway is ahead after a claim; null if none is.
--
-- p_rivals: of each that waited, its weight and the calls it had to offer, at most `p_free`. p_served: the batch of each call
-- that was taken. The zero is the batch least ahead of those that still wait. One that is served more because the others had
-- nothing to offer is not ahead of them by more than one call.
create or replace function lane_turns_after(p_before jsonb, p_rivals jsonb, p_served text[], p_free integer)
returns jsonb language sql immutable as $$
  with ran as (
    select l.lane, w.weight, coalesce((p_before ->> l.lane)::double precision, 0) + s.calls / w.weight as ahead,
      coalesce(w.offers >= p_free or w.offers > s.calls, false) as waits
    from (select jsonb_object_keys(p_before) as lane union select jsonb_object_keys(p_rivals)) l
    cross join lateral (select coalesce((p_rivals -> l.lane ->> 0)::double precision, 1) as weight,
      (p_rivals -> l.lane ->> 1)::integer as offers) w
    cross join lateral (select count(*) as calls from unnest(p_served) as u (lane) where u.lane = l.lane) s
  ),
  ahead as (
    select r.lane, least(r.ahead - z.zero, 1 / r.weight) as turns
    from ran r
    cross join (select coalesce(min(ran.ahead) filter (where ran.waits), max(ran.ahead)) as zero from ran) z
  )
  select jsonb_object_agg(a.lane, round(a.turns::numeric, 9)) filter (where a.turns > 1e-9) from ahead a
$$;

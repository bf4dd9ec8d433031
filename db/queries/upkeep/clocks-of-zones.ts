import { sql } from 'kysely';
import type { ZoneChanges } from '../../../domain/call/time-zone.js';
import type { Db } from '../../client.js';

/** Days ahead: more than a calling window is searched for an opening, but for those with long lists of excepted dates. */
const daysAhead = 400;
const dayMs = 86_400_000;

/**
 * How the clocks of all time zones run from this day on, as PostgreSQL knows it. Names that it takes for an abbreviation first, such as
 * CET, are left out: they would be clocks that never change.
 *
 * Offsets are looked at every eight days, then every six hours and every quarter of one where they differ.
 */
export async function clocksOfZones(
  db: Db,
  now: Date,
): Promise<{ readonly zones: ReadonlyMap<string, ZoneChanges>; readonly untilMs: number }> {
  const firstMs = Math.floor(now.getTime() / dayMs - 1) * dayMs;
  const untilMs = firstMs + daysAhead * dayMs;
  const { rows } = await sql<{ zone: string; offsets: [atMs: number, offsetMs: number][] }>`
    with zones as materialized (
      select z.name from pg_timezone_names z
      where not exists (select from pg_timezone_abbrevs a where a.abbrev = upper(z.name))
    ),
    weeks as materialized (
      select z.name, d.at, ${offsetAt(sql`d.at`)} as seconds
      from zones z cross join generate_series(${new Date(firstMs)}::timestamptz, ${new Date(untilMs)}, interval '192 hours') d (at)
    ),
    halves as materialized (
      select z.name, d.at, ${offsetAt(sql`d.at`)} as seconds
      from (select name, at, seconds, lead(seconds) over (partition by name order by at) as later from weeks) z
      cross join generate_series(z.at, z.at + interval '192 hours', interval '6 hours') d (at)
      where z.later <> z.seconds
    ),
    quarters as (
      select z.name, d.at, ${offsetAt(sql`d.at`)} as seconds
      from (select name, at, seconds, lead(seconds) over (partition by name order by at) as later from halves) z
      cross join generate_series(z.at, z.at + interval '6 hours', interval '15 minutes') d (at)
      where z.later <> z.seconds
    )
    select name as zone, json_agg(json_build_array(extract(epoch from at)::bigint * 1000, seconds * 1000) order by at) as offsets
    from (select * from weeks union select * from quarters) seen
    group by name`.execute(db);
  const zones = rows.map(({ zone, offsets }) => {
    const changes = offsets.filter(([, offsetMs], place) => offsetMs !== offsets[place - 1]?.[1]);
    return [zone, changes] as const;
  });
  return { zones: new Map(zones), untilMs };
}

/** Seconds that the clock of zone `z` is ahead of UTC. */
const offsetAt = (at: ReturnType<typeof sql>) =>
  sql`extract(epoch from (${at} at time zone z.name) - (${at} at time zone 'UTC'))::integer`;

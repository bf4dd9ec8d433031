import { Cron } from 'croner';

const hourMs = 3_600_000;
/** Clocks are never set back by more, but where a day is repeated. */
const mostSetBackMs = 3 * hourMs;

/** What clocks of a zone show, as if it were UTC. @throws RangeError for a name that is no zone */
function clocksOf(zone: string): (instantMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...({ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const),
    ...({ second: 'numeric', hourCycle: 'h23', timeZone: zone, calendar: 'gregory', numberingSystem: 'latn' } as const),
  });
  return (instantMs) => {
    const parts = new Map(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  };
}

/**
 * The next times of a schedule, as the service has them: a time that the clocks skip does not come on that day, and one that they show
 * twice comes twice.
 *
 * @param cron five fields, without a problem (`cronProblem`)
 * @param zone IANA name of the zone that they are read in
 * @throws RangeError if there is no such zone
 */
export function nextRunsOf(cron: string, zone: string, from: Date, count: number): readonly Date[] {
  const clock = clocksOf(zone);
  const fromMs = from.getTime();
  const shownMs = clock(fromMs);
  // By a clock that never changes: what it shows is then looked for in the zone.
  const times = new Cron(cron, { mode: '5-part', domAndDow: true, timezone: 'UTC', paused: true });
  const found = new Set<number>();
  let time = times.nextRun(new Date(shownMs - mostSetBackMs));
  while (time !== null && (found.size < count || time.getTime() <= shownMs + mostSetBackMs)) {
    const wantedMs = time.getTime();
    for (const aroundMs of [wantedMs - 24 * hourMs, wantedMs + 24 * hourMs]) {
      const instantMs = wantedMs - (clock(aroundMs) - aroundMs);
      if (instantMs > fromMs && clock(instantMs) === wantedMs) found.add(instantMs);
    }
    time = times.nextRun(time);
  }
  return [...found]
    .sort((a, b) => a - b)
    .slice(0, count)
    .map((instantMs) => new Date(instantMs));
}

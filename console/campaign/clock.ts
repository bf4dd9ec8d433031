/** The clocks of a zone. What they show is a number as if it were UTC. */
export interface ClockOfZone {
  shownAt(instantMs: number): number;
  /** The instant that Temporal takes for what they show: of two the later one east of Greenwich, the earlier one west of it. */
  instantOf(shownMs: number): number;
}

/** @throws RangeError for a name that is no zone */
export function clockOf(zone: string): ClockOfZone {
  const format = new Intl.DateTimeFormat('en-US', {
    ...({ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const),
    ...({ second: 'numeric', hourCycle: 'h23', timeZone: zone, calendar: 'gregory', numberingSystem: 'latn' } as const),
  });
  const shownAt = (instantMs: number): number => {
    const parts = new Map(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  };
  const aheadAt = (instantMs: number): number => shownAt(instantMs) - instantMs;
  return { shownAt, instantOf: (shownMs) => shownMs - aheadAt(shownMs - aheadAt(shownMs)) };
}

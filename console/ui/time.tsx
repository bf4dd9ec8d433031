const own = new Intl.DateTimeFormat('en-GB', {
  ...({ day: 'numeric', month: 'short', year: 'numeric' } as const),
  ...({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
});

/** An instant by the clocks of a zone, with the zone: `2 Mar 2026, 09:30 in America/Chicago`. */
export function inZone(instant: Date, zone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const),
    timeZone: zone,
  });
  return `${format.format(instant)} in ${zone}`;
}

interface Props {
  /** ISO 8601; undefined or null: there is none yet. */
  readonly at: string | null | undefined;
  /** IANA zone whose time is shown on hover, such as the batch's. */
  readonly zone?: string;
}

/** An instant in the zone of the person who looks at it. */
export function Time({ at, zone = 'UTC' }: Props) {
  if (at === null || at === undefined) return <>–</>;
  const instant = new Date(at);
  return (
    <time dateTime={at} title={inZone(instant, zone)}>
      {own.format(instant)}
    </time>
  );
}

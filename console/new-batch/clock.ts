/** An instant by the clocks of a zone: `Mon, 2 Mar 2026, 09:30`; null: there is no such zone. */
export function inZone(instant: Date, timeZone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      ...({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const),
      ...({ hour: '2-digit', minute: '2-digit', timeZone } as const),
    }).format(instant);
  } catch {
    return null;
  }
}

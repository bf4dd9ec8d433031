/** A moment in the viewer's time zone, as a field has it: `2026-03-02T09:30`. */
export const momentField = (instant: Date): string =>
  new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** The instant of a field, ISO 8601; what is none stays as it was typed, for the API to say what is wrong with it. */
export function instantOf(moment: string): string {
  const instant = new Date(moment);
  return Number.isNaN(instant.getTime()) ? moment : instant.toISOString();
}

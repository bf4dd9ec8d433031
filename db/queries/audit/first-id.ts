/** Ids are made a little before their rows. */
const idsBeforeRowsMs = 3_600_000;

/** An id below those of all calls that were made at this instant or later: the smallest UUID of version 7 of an hour before. */
export function firstIdAt(ms: number): string {
  const hex = Math.max(0, ms - idsBeforeRowsMs)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}

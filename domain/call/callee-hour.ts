import { stretchAt } from './time-zone.js';

/**
 * The hour in which an instant lies by a callee's clock, as `YYYY-MM-DDTHH:00`; null if no zone is known, or this machine does
 * not know it.
 *
 * @param zones in which the callee may be: the first counts
 */
export function calleeHour(at: Date, zones: readonly string[]): string | null {
  const [zone] = zones;
  if (zone === undefined) return null;
  try {
    const { offsetMs } = stretchAt(zone, at.getTime());
    return `${new Date(at.getTime() + offsetMs).toISOString().slice(0, 13)}:00`;
  } catch (error) {
    // Whatever zone a recipient names, its call has to end.
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}

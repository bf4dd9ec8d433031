import { refText, type CarrierLeg } from './carrier.js';
import { batchId, beginningOf, type PlannedCall, type Setting } from './setting.js';

/** PostgreSQL counts in microseconds. */
const roundedMs = 1;

/** When a dialer may send: not before its slot, and no later after it than it has said. */
export interface Slot {
  readonly atMs: number;
  readonly patienceMs: number;
}

/** @returns what an INVITE breaks by when it leaves, in words */
export function brokenSlot(leg: CarrierLeg, slot: Slot | undefined): string[] {
  if (slot === undefined) return [`INVITE ${refText(leg.ref)} left without a slot`];
  const lateMs = leg.placedMs - slot.atMs;
  if (lateMs < -roundedMs) return [`INVITE ${refText(leg.ref)} left ${-lateMs} ms before its slot`];
  if (lateMs <= slot.patienceMs + roundedMs) return [];
  return [`INVITE ${refText(leg.ref)} left ${lateMs} ms after its slot, at most ${slot.patienceMs} ms are allowed`];
}

/** @returns what an INVITE breaks of the instant at which its batch stops, in words */
export function brokenUntil(leg: CarrierLeg, { batch }: PlannedCall, setting: Setting): string[] {
  const seconds = setting.batches.find((_batch, place) => batchId(place) === batch)?.untilSeconds ?? Infinity;
  const lateMs = leg.placedMs - (beginningOf(setting) + seconds * 1_000);
  return lateMs < 0 ? [] : [`INVITE ${refText(leg.ref)} left ${lateMs} ms after ${batch ?? ''} was to stop`];
}

/**
 * Judges an INVITE by those before it of the same call.
 *
 * @param legs all INVITEs, this one among them
 * @param againMs when it was asked to call the recipient again
 * @returns what it breaks, in words
 */
export function brokenHistory(
  leg: CarrierLeg,
  legs: readonly CarrierLeg[],
  call: PlannedCall,
  againMs: readonly number[] = [],
): string[] {
  const broken: string[] = [];
  const { callId, attempt, invite } = leg.ref;
  for (const other of legs.filter(({ ref }) => ref.callId === callId)) {
    if (other === leg) continue;
    const same = other.ref.attempt === attempt;
    const words = `INVITE ${refText(leg.ref)} after ${refText(other.ref)}`;
    const again = againMs.some((ms) => ms >= (other.endedMs ?? Infinity));
    if (same && other.ref.invite === invite) broken.push(`INVITE ${refText(leg.ref)} was sent twice`);
    else if (other.endedMs === null) broken.push(`${words}, which is live`);
    else if (same && !other.free) broken.push(`${words}, which the carrier had taken`);
    else if (other.answeredMs !== null && !again) broken.push(`${words}, which was answered`);
    if (other.ref.attempt > attempt || (same && other.ref.invite > invite)) broken.push(`${words}: backwards`);
    const delaySeconds = other.ref.attempt === attempt - 1 ? call.retryDelaysSeconds[attempt - 2] : undefined;
    const waitedMs = leg.placedMs - (other.endedMs ?? leg.placedMs);
    if (!again && delaySeconds !== undefined && waitedMs < delaySeconds * 1000 - roundedMs) {
      broken.push(`${words} by ${waitedMs} ms, its retry plan says ${delaySeconds} s`);
    }
  }
  const most = call.retryDelaysSeconds.length + 1 + againMs.length;
  if (attempt > most) broken.push(`INVITE ${refText(leg.ref)}: the retry plan has ${most} attempts`);
  return broken;
}

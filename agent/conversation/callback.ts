import { numberTimeZones } from '../../contacts/number-time-zones.js';
import type { Db } from '../../db/client.js';
import { planCallback } from '../../db/queries/batches/callback.js';
import { callbackFacts } from '../../db/queries/calls/callback-facts.js';
import { callbackClock, callbackTime } from '../../domain/call/callback-time.js';
import { timeZonesOf } from '../../domain/phone/phone-time-zones.js';
import type { SessionPlan } from '../../domain/session-plan/types.js';

/** The callee of a live call. */
export interface Callee {
  readonly accountId: string;
  /** The bare UUID */
  readonly callId: string;
  /** E.164 */
  readonly number: string;
}

const zoneOf = (number: string): string | undefined => timeZonesOf(number, numberTimeZones())[0];

/** What time it is for the callee, for the model; by their number, whose first zone is taken. */
export function clockOfCallee(number: string, now = new Date()): string {
  const zone = zoneOf(number);
  return zone === undefined ? '' : `For the callee it is ${callbackClock(now, zone)}.`;
}

const cannot = 'No call can be promised. Say so, and that the callee can call back.';

/**
 * Promises the callee of a live call another one, which is planned when this one ends.
 *
 * @param time as the model has it: local, by the clock of the recipient's own zone, else of the number, else of the batch
 * @returns words for the model: the time to say back to the callee, or why it cannot be promised
 */
export async function promiseCallback(
  db: Db,
  { accountId, callId, number }: Callee,
  time: string,
  { withinDays, most }: NonNullable<SessionPlan['callbacks']>,
  now: Date,
): Promise<string> {
  const facts = await callbackFacts(db, accountId, callId);
  if (facts === null) return cannot;
  if (facts.promisedBefore >= most) return 'The callee has been promised as many calls as are allowed. Offer no other.';
  const zone = facts.zones[0] ?? zoneOf(number) ?? facts.timezone;
  const named = callbackTime(time, { ...facts, zone, withinDays, now });
  if ('problem' in named) return named.problem;
  const { batchId } = facts;
  const { outcome } = await db
    .transaction()
    .execute((tx) => planCallback(tx, { accountId, batchId, callId }, named.at, now));
  return outcome === 'planned'
    ? `Promised for ${named.words}. Say this time back to the callee, and that you will call then.`
    : cannot;
}

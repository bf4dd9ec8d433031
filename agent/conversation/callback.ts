import { numberTimeZones } from '../../contacts/number-time-zones.js';
import type { Db } from '../../db/client.js';
import { guardrailsInForce } from '../../db/queries/accounts/guardrails.js';
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

const zonesOfNumber = (number: string) => timeZonesOf(number, numberTimeZones());

/** The zone by whose clock the callee names times: the recipient's own, else the first that the number may be in. */
const zoneOfCallee = (ofRecipient: string | null | undefined, number: string): string | undefined =>
  ofRecipient ?? zonesOfNumber(number)[0];

/**
 * What time it is for the callee, for the model.
 *
 * @param ofRecipient the recipient's own zone; null if none is known
 */
export function clockOfCallee(number: string, ofRecipient: string | null, now = new Date()): string {
  const zone = zoneOfCallee(ofRecipient, number);
  return zone === undefined ? '' : `For the callee it is ${callbackClock(now, zone)}.`;
}

const cannot = 'No call can be promised. Say so, and that the callee can call back.';

/**
 * Promises the callee of a live call another one, which is planned when this one ends; not outside of the batch's calling window
 * and of the hours that the account's guardrails and the operator allow.
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
  const zone = zoneOfCallee(facts.zones[0], number) ?? facts.timezone;
  const { callingHours } = (await guardrailsInForce(db, accountId)).guardrails;
  const named = callbackTime(time, {
    ...{ ...facts, zone, callingHours, ofNumber: zonesOfNumber(number), withinDays, now },
  });
  if ('problem' in named) return named.problem;
  const { batchId } = facts;
  const { outcome } = await db
    .transaction()
    .execute((tx) => planCallback(tx, { accountId, batchId, callId }, named.at, now));
  return outcome === 'planned'
    ? `Promised for ${named.words}. Say this time back to the callee, and that you will call then.`
    : cannot;
}

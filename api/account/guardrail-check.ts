import { numberTimeZones } from '../../contacts/number-time-zones.js';
import type { Db } from '../../db/client.js';
import { attemptsSince, guardrailsInForce } from '../../db/queries/accounts/guardrails.js';
import { forbidden } from '../../domain/errors.js';
import {
  commonOpening,
  dayOfCallee,
  hoursWindow,
  refusalOf,
  refusalWords,
  zonesOfCallee,
} from '../../domain/account/guardrails.js';
import type { NarrowedGuardrails } from '../../domain/account/operator-limits.js';
import { timeZonesOf } from '../../domain/phone/phone-time-zones.js';

/**
 * Refuses a destination that the account's guardrails never allow: its country, premium-rate and satellite numbers.
 *
 * @throws Failure `forbidden`
 */
async function requireAllowedDestination(
  tx: Db,
  accountId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<NarrowedGuardrails> {
  const { guardrails, homeCountries } = await guardrailsInForce(tx, accountId);
  const refusal = refusalOf(guardrails, homeCountries, from, to);
  if (refusal !== null) throw forbidden(refusalWords[refusal](to));
  return guardrails;
}

/**
 * Refuses a single call at once if the account's guardrails do not allow it. The dialer judges again when
 * its turn comes.
 *
 * @throws Failure `forbidden`
 */
export async function requireWithinGuardrails(
  tx: Db,
  accountId: string,
  { from, to }: { readonly from: string; readonly to: string },
  now: Date,
): Promise<void> {
  const { callingHours, maxAttemptsPerNumberPerDay: most } = await requireAllowedDestination(tx, accountId, {
    from,
    to,
  });
  if (callingHours.length === 0 && most === null) return;

  const zones = zonesOfCallee(timeZonesOf(to, numberTimeZones()), null);
  if (callingHours.length > 0) {
    const windows = callingHours.map((hours) => hoursWindow(hours, zones));
    const opening = commonOpening(windows, now);
    if (opening === null) throw forbidden(`The account’s calling hours are never open in all time zones of ${to}`);
    if (opening.opensAt > now) {
      throw forbidden(`It is outside of the account’s calling hours for ${to} until ${opening.opensAt.toISOString()}`);
    }
  }
  if (most !== null) {
    const day = dayOfCallee(zones, now);
    const [made = 0] = await attemptsSince(tx, accountId, [{ e164: to, since: day.since }]);
    if (made >= most) {
      throw forbidden(`${to} has been called ${made} times today; the account’s guardrails allow ${most}`);
    }
  }
}

import { numberTimeZones } from '../../contacts/number-time-zones.js';
import type { Db } from '../../db/client.js';
import { callingHours, dialedByHours, type DialedByHours } from '../../db/queries/audit/hours.js';
import type { AuditScope, Violation } from '../../db/queries/audit/invariants.js';
import { type CallingHours, commonOpening, hoursWindow, zonesOfCallee } from '../../domain/account/guardrails.js';
import { timeZonesOf } from '../../domain/phone/phone-time-zones.js';

/** What was dialed outside of the calling hours that its account has now, since it has them. Nothing is read if none has. */
export async function outsideOfHours(
  db: Db,
  scope: AuditScope,
  add: (violations: readonly Violation[]) => void,
): Promise<void> {
  const hours = await callingHours(db, scope);
  if (hours.size === 0) return;
  const zonesByPrefix = numberTimeZones();
  for (let after: string | null | undefined = undefined; after !== null;) {
    const page: Awaited<ReturnType<typeof dialedByHours>> = await dialedByHours(db, scope, after ?? null);
    add(page.dialed.flatMap((attempt) => judge(attempt, hours, timeZonesOf(attempt.to, zonesByPrefix))));
    ({ after } = page);
  }
}

function judge(
  { accountId, callId, attempt, dialedAt, zones }: DialedByHours,
  hours: ReadonlyMap<string, CallingHours>,
  ofNumber: readonly string[],
): Violation[] {
  const allowed = hours.get(accountId);
  if (allowed === undefined) return [];
  const opening = commonOpening([hoursWindow(allowed, zonesOfCallee(ofNumber, zones))], dialedAt);
  if (opening?.opensAt.getTime() === dialedAt.getTime()) return [];
  const details = `attempt ${attempt} was dialed at ${dialedAt.toISOString()}, outside of the account’s calling hours`;
  return [{ invariant: 'calling-hours', id: `call_${callId}`, details }];
}

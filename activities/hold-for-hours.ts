import { numberTimeZones } from '../contacts/number-time-zones.js';
import type { Db } from '../db/client.js';
import { calleeHours, deferAttempts, type Wait } from '../db/queries/dialer/judged-attempts.js';
import { guardrailsInForce } from '../db/queries/accounts/guardrails.js';
import type { QueueAnswer, QueueRequest } from '../db/queries/calls/queue-attempts.js';
import { openingForCallee } from '../domain/account/guardrails.js';
import { timeZonesOf } from '../domain/phone/phone-time-zones.js';

const laterMs = 60_000;

/**
 * Moves attempts that have just been queued to the account's calling hours, so that their workflow knows which of them
 * have to wait and lets others of the batch come first. The dialer asks for the hours again before each call.
 *
 * @returns the queue's answer, with those that wait among `later`
 */
export async function holdForHours(
  db: Db,
  { accountId, attempts }: QueueRequest,
  answer: QueueAnswer,
  now: Date,
): Promise<QueueAnswer> {
  const { guardrails, revision } = await guardrailsInForce(db, accountId);
  const { callingHours } = guardrails;
  if (callingHours.length === 0) return answer;
  const hours = await calleeHours(
    db,
    attempts.map(([callId]) => callId),
  );
  const waits: Wait[] = [];
  const later = new Set(answer.later);
  const notQueued = new Set([...answer.settled, ...answer.astray]);
  attempts.forEach(([callId, attempt], place) => {
    const callee = hours[place];
    if (callee === undefined || callee.to === null || notQueued.has(place)) return;
    const opening = openingForCallee(callingHours, timeZonesOf(callee.to, numberTimeZones()), callee, now);
    if (opening === null || opening.opensAt <= now) return;
    const notAfter = callee.callingWindow === null ? null : opening.closesAt;
    waits.push({
      callId,
      attempt,
      claimId: null,
      reason: 'guardrail_hours',
      dueAt: opening.opensAt,
      notAfter,
      revision,
      hoursAsRead: callee.asRead,
    });
    if (opening.opensAt.getTime() > now.getTime() + laterMs) later.add(place);
  });
  if (waits.length > 0) await deferAttempts(db, waits);
  return { ...answer, later: [...later].sort((a, b) => a - b) };
}

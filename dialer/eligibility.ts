import type { Db } from '../db/client.js';
import type { ClaimedAttempt } from '../db/queries/dialer/claim-attempts.js';
import { calleeHours, type StoredHours, type Wait } from '../db/queries/dialer/judged-attempts.js';
import type { UndialedAttempt } from '../db/queries/dialer/settle-undialed.js';
import { attemptsSince, guardrailsInForce, type GuardrailsInForce } from '../db/queries/accounts/guardrails.js';
import { dayOfCallee, openingForCallee, refusalOf, zonesOfCallee } from '../domain/account/guardrails.js';
import type { EndReason } from '../domain/call/end-reasons.js';

/** The columns of an attempt that the guardrails judge. */
export type Candidate = Pick<ClaimedAttempt, 'callId' | 'attempt' | 'accountId' | 'toNumber' | 'fromNumber'> &
  Partial<Pick<ClaimedAttempt, 'batchId' | 'gatewayId'>>;

/** The attempt may be dialed, by these guardrails and until this instant. The gate compares both. */
export interface DialPermit {
  readonly kind: 'dial';
  readonly revision: string;
  /** End of the calling hours; null without calling hours. */
  readonly until: Date | null;
  /** Text that the callee must hear first; null: none. */
  readonly disclosure: string | null;
}

export type Eligibility =
  | DialPermit
  /** Never dialed; nothing consumed. `calling_hours`: no hours are open in all of its zones. Only by what it was judged by. */
  | ({ readonly kind: 'settle'; readonly reason: EndReason } & Pick<UndialedAttempt, 'revision' | 'hoursAsRead'>)
  /** Not now. */
  | ({ readonly kind: 'wait' } & Pick<Wait, 'reason' | 'dueAt' | 'notAfter' | 'revision' | 'hoursAsRead'>);

/** Judges attempts by their accounts' guardrails. The verdicts are in the order of the attempts. */
export type CheckEligibility = (attempts: readonly Candidate[], now: Date) => Promise<Eligibility[]>;

const judgedAgainAfterMs = 600_000;

/** When an attempt is looked at again whose hours could not be worked out. */
export const judgedAgainAt = (now: Date): Date => new Date(now.getTime() + judgedAgainAfterMs);

/** Every IANA zone that a number may be in; empty if none is known. */
export type ZonesOfNumber = (e164: string) => readonly string[];

/**
 * Reads the guardrails for each check: a verdict is never older than its question. An account without guardrails costs
 * one small query beside the claim; calling hours and attempts per day cost one more each.
 *
 * @param unjudged called with an attempt that cannot be judged, such as one in a time zone that this machine does not know;
 *   it is judged again later
 */
export function createEligibilityCheck(
  db: Db,
  zonesOfNumber: ZonesOfNumber,
  unjudged: (attempt: Candidate, error: unknown) => void,
): CheckEligibility {
  /** One attempt at which judging fails must not keep the others waiting. */
  async function judgeSurviving(accountId: string, attempts: readonly Candidate[], now: Date): Promise<Eligibility[]> {
    try {
      return await judgeAccount(accountId, attempts, now);
    } catch (error) {
      // Anything else is the database's failure, and of all.
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
      const [attempt] = attempts;
      if (attempt !== undefined && attempts.length === 1) {
        unjudged(attempt, error);
        const { revision } = await guardrailsInForce(db, accountId);
        return [
          {
            kind: 'wait',
            reason: 'guardrail_hours',
            dueAt: judgedAgainAt(now),
            notAfter: null,
            revision,
            hoursAsRead: null,
          },
        ];
      }
      const middle = Math.floor(attempts.length / 2);
      return [
        ...(await judgeSurviving(accountId, attempts.slice(0, middle), now)),
        ...(await judgeSurviving(accountId, attempts.slice(middle), now)),
      ];
    }
  }

  async function judgeAccount(accountId: string, attempts: readonly Candidate[], now: Date): Promise<Eligibility[]> {
    const inForce = await guardrailsInForce(db, accountId);
    const { callingHours, maxAttemptsPerNumberPerDay } = inForce.guardrails;
    const hours =
      callingHours.length === 0
        ? null
        : await calleeHours(
            db,
            attempts.map((attempt) => attempt.callId),
          );
    const days =
      maxAttemptsPerNumberPerDay === null
        ? null
        : attempts.map((attempt) => dayOfCallee(zonesOfCallee(zonesOfNumber(attempt.toNumber), null), now));
    const made =
      days === null
        ? null
        : await attemptsSince(
            db,
            accountId,
            days.map(({ since }, place) => ({ e164: attempts[place]?.toNumber ?? '', since })),
          );
    return attempts.map((attempt, place): Eligibility => {
      const reason = refusalOf(inForce.guardrails, inForce.homeCountries, attempt.fromNumber, attempt.toNumber);
      if (reason !== null) return { kind: 'settle', reason, revision: inForce.revision };
      const day = days?.[place];
      if (day !== undefined && (made?.[place] ?? 0) >= (maxAttemptsPerNumberPerDay ?? 0)) {
        return {
          kind: 'wait',
          reason: 'daily_limit',
          dueAt: day.until,
          notAfter: null,
          revision: inForce.revision,
          hoursAsRead: null,
        };
      }
      return judgeHours(inForce, attempt, hours?.[place], now);
    });
  }

  function judgeHours(inForce: GuardrailsInForce, { toNumber }: Candidate, hours: StoredHours | undefined, now: Date) {
    const { callingHours, disclosure } = inForce.guardrails;
    const { revision } = inForce;
    const permit = (until: Date | null): Eligibility => ({
      kind: 'dial',
      revision,
      until,
      disclosure,
    });
    if (callingHours.length === 0 || hours === undefined) return permit(null);
    const opening = openingForCallee(callingHours, zonesOfNumber(toNumber), hours, now);
    if (opening === null) {
      return { kind: 'settle', reason: 'calling_hours', revision, hoursAsRead: hours.asRead } satisfies Eligibility;
    }
    return opening.opensAt > now
      ? ({
          kind: 'wait',
          reason: 'guardrail_hours',
          dueAt: opening.opensAt,
          notAfter: hours.callingWindow === null ? null : opening.closesAt,
          revision,
          hoursAsRead: hours.asRead,
        } satisfies Eligibility)
      : permit(opening.closesAt);
  }

  return async (attempts, now) => {
    const verdicts = new Map<Candidate, Eligibility>();
    for (const accountId of new Set(attempts.map((attempt) => attempt.accountId))) {
      const own = attempts.filter((attempt) => attempt.accountId === accountId);
      const judged = await judgeSurviving(accountId, own, now);
      judged.forEach((verdict, place) => {
        const attempt = own[place];
        if (attempt !== undefined) verdicts.set(attempt, verdict);
      });
    }
    return attempts.flatMap((attempt) => verdicts.get(attempt) ?? []);
  };
}

import type { Db } from '../db/client.js';
import { databaseNow } from '../db/queries/clock.js';
import type { ClaimedAttempt } from '../db/queries/dialer/claim-attempts.js';
import { deferAttempts, dueAttempts, type DueAttempt, type Wait } from '../db/queries/dialer/judged-attempts.js';
import { releaseAttempts } from '../db/queries/dialer/release-attempts.js';
import type { UndialedAttempt } from '../db/queries/dialer/settle-undialed.js';
import { isNumberAllowed } from '../domain/phone/allowed-number.js';
import type { Logger } from '../platform/logger.js';
import type { Candidate, CheckEligibility, DialPermit, Eligibility } from './eligibility.js';
import type { EndReason } from '../domain/call/end-reasons.js';

/** A claimed attempt that may go on its way. */
export interface Admitted {
  readonly attempt: ClaimedAttempt;
  readonly permit: DialPermit;
}

/** Settles or defers the claimed attempts that may not be dialed, or not now, and returns the others. */
export type Admit = (attempts: readonly ClaimedAttempt[]) => Promise<Admitted[]>;

const waitOf = ({ reason, dueAt, notAfter, revision, hoursAsRead }: Extract<Eligibility, { kind: 'wait' }>) => ({
  reason,
  dueAt,
  notAfter,
  revision,
  hoursAsRead,
});

const judgedBy = ({ revision, hoursAsRead }: Extract<Eligibility, { kind: 'settle' }>) => ({
  ...(revision === undefined ? {} : { revision }),
  ...(hoursAsRead === undefined ? {} : { hoursAsRead }),
});

/** Attempts of a queue judged in one step, which takes the processor some ten milliseconds. */
const judgedAtOnce = 300;

/** Settles and defers by verdicts. @returns how many attempts may not be dialed now */
type SortOut = (
  attempts: readonly (Candidate & { readonly claimId?: string })[],
  verdicts: readonly Eligibility[],
) => Promise<number>;

function createSortOut(deps: Pick<AdmissionDeps, 'db' | 'settle'>): SortOut {
  return async (attempts, verdicts) => {
    const refused = new Map<EndReason, UndialedAttempt[]>();
    const waits: Wait[] = [];
    verdicts.forEach((verdict, place) => {
      const attempt = attempts[place];
      if (attempt === undefined || verdict.kind === 'dial') return;
      const key = { callId: attempt.callId, attempt: attempt.attempt, claimId: attempt.claimId ?? null };
      if (verdict.kind === 'wait') waits.push({ ...key, ...waitOf(verdict) });
      else refused.set(verdict.reason, [...(refused.get(verdict.reason) ?? []), { ...key, ...judgedBy(verdict) }]);
    });
    for (const [reason, keys] of refused) await deps.settle(keys, reason);
    // What was judged by guardrails or hours that are not in force any more has not ended: it is claimed and judged again.
    const claims = [...refused.values()]
      .flat()
      .flatMap(({ claimId, ...key }) => (claimId ? [{ ...key, claimId }] : []));
    if (claims.length > 0) await releaseAttempts(deps.db, claims, 0);
    if (waits.length > 0) await deferAttempts(deps.db, waits);
    return verdicts.filter(({ kind }) => kind !== 'dial').length;
  };
}

interface AdmissionDeps {
  readonly db: Db;
  readonly judge: CheckEligibility;
  /** Ends calls that may not be dialed at all, nothing consumed. */
  readonly settle: (attempts: readonly UndialedAttempt[], reason: EndReason) => Promise<void>;
  readonly logger: Logger;
}

/**
 * Judges attempts in the queue by the guardrails; settles or defers those that may not be dialed, or not now.
 *
 * @returns the others
 */
export function createQueueJudge(
  deps: Pick<AdmissionDeps, 'db' | 'settle' | 'judge'>,
): <Attempt extends Candidate>(attempts: readonly Attempt[]) => Promise<Attempt[]> {
  const sortOut = createSortOut(deps);
  return async (attempts) => {
    const verdicts = await deps.judge(attempts, await databaseNow(deps.db));
    await sortOut(attempts, verdicts);
    return attempts.filter((_, place) => verdicts[place]?.kind === 'dial');
  };
}

/**
 * Checks claimed attempts against the do-not-call list, the allowed numbers and the guardrails. If more than half of a claim
 * may not be dialed now, more of the same probably follows in the queue, for example the numbers of a country whose day has
 * not begun. Then what is due on that gateway is judged page by page without being claimed, while that moves more than
 * half of a page: numbers that may be called do not wait behind the others.
 */
export function createAdmission(deps: AdmissionDeps): Admit {
  const clearing = new Set<string>();
  const sortOut = createSortOut(deps);

  async function clear(gatewayId: string): Promise<void> {
    let last: DueAttempt | null = null;
    for (;;) {
      const page: DueAttempt[] = await dueAttempts(deps.db, gatewayId, last, judgedAtOnce);
      const held = await sortOut(page, await deps.judge(page, await databaseNow(deps.db)));
      if (page.length < judgedAtOnce || held * 2 < page.length) return;
      last = page.at(-1) ?? null;
    }
  }

  function clearSoon(gatewayIds: ReadonlySet<string>): void {
    for (const gatewayId of gatewayIds) {
      if (clearing.has(gatewayId)) continue;
      clearing.add(gatewayId);
      clear(gatewayId)
        .catch((error: unknown) =>
          deps.logger.warn(
            { err: error, gatewayId },
            'the queue of a gateway could not be checked ahead of its claims',
          ),
        )
        .finally(() => clearing.delete(gatewayId));
    }
  }

  async function settleOf(attempts: readonly ClaimedAttempt[], reason: EndReason): Promise<void> {
    if (attempts.length > 0) await deps.settle(attempts, reason);
  }

  return async (attempts) => {
    const wanted = attempts.filter((attempt) => !attempt.doNotCall);
    const allowed = wanted.filter(
      ({ allowedNumbers: byRule, gatewayAllowedNumbers: byGateway, toNumber: callee }) =>
        isNumberAllowed(byRule, callee) && isNumberAllowed(byGateway, callee),
    );
    await settleOf(
      attempts.filter((attempt) => attempt.doNotCall),
      'do_not_call',
    );
    await settleOf(
      wanted.filter((attempt) => !allowed.includes(attempt)),
      'number_not_allowed',
    );
    const verdicts = await deps.judge(allowed, await databaseNow(deps.db));
    const held = await sortOut(allowed, verdicts);
    if (held * 2 > allowed.length) clearSoon(new Set(allowed.map((attempt) => attempt.gatewayId)));
    return allowed.flatMap((attempt, place): Admitted[] => {
      const verdict = verdicts[place];
      return verdict?.kind === 'dial' ? [{ attempt, permit: verdict }] : [];
    });
  };
}

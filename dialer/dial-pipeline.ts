import type { Db } from '../db/client.js';
import { isAboutItsData } from '../db/data-fault.js';
import { oldClaims, type ClaimedAttempt } from '../db/queries/dialer/claim-attempts.js';
import { noteUnprepared } from '../db/queries/dialer/gateway-health.js';
import type { GatedAttempt } from '../db/queries/dialer/gate-attempts.js';
import { paceAttempts } from '../db/queries/dialer/pace-attempts.js';
import { releaseAttempts } from '../db/queries/dialer/release-attempts.js';
import type { UndialedAttempt } from '../db/queries/dialer/settle-undialed.js';
import type { Logger } from '../platform/logger.js';
import { within } from '../platform/within.js';
import { type CallProvider, type DialOrder, ProviderUnreachable } from '../telephony/provider.js';
import type { Admit } from './admit.js';
import { heldSeconds, type NextStep, secondsUnprepared, stepsAfterRefusals } from './detour.js';
import { createGating } from './gating.js';
import type { Watch } from './health.js';
import { createHeldClaims } from './held-claims.js';
import { inHalves } from '../db/in-halves.js';
import { createLatency } from './latency.js';
import type { Lease } from './lease.js';
import { idsOf, idsOfInvite, idsOfSeveral, type LoggedAttempt } from './log-ids.js';
import type { DialPermit } from './eligibility.js';
import type { DialerMetrics } from './metrics.js';
import { createPacing } from './pacing.js';
import type { EndReason } from '../domain/call/end-reasons.js';
import type { PendingDial } from './pending-dial.js';

export interface DialPipeline {
  /**
   * Takes over claimed attempts: prepares, paces, gates and dials each, or gives it back. A claim that is held already is
   * refused; an earlier claim of the same attempt is dropped, because it is void since the later one was made.
   */
  accept(attempts: readonly ClaimedAttempt[]): void;
  /** How many claimed attempts have neither been dialed nor given back. */
  readonly waiting: number;
  /** Gives back claims that the database has of this process and that it does not hold: their answer was lost. */
  releaseForgotten(): Promise<void>;
  /** Gives everything undialed back to the queue. */
  close(): Promise<void>;
  /** Forgets everything undialed at once and writes nothing: the lease has run out, other dialers take it. */
  drop(): void;
}

const prepareLimitMs = 20_000;
const forgottenAfterSeconds = 30;
/** What PostgreSQL refuses because of what is in it is refused the next time, too. */
const unjudgeableSeconds = 60;

/**
 * Takes claimed attempts to their INVITE. An attempt is in one state at a time:
 *
 * ```
 * accept ─▶ admitting ─▶ preparing ─▶ pacing ─▶ slotted ─▶ at the gate ─▶ dial
 *               │            │          ▲ │         │           │
 *               │            │          └─┼─ late ──┼───────────┤
 *               ▼            ▼            ▼         ▼           ▼
 *         deferred, settled, or back to the queue (detour.ts), or unsendable, or unanswered
 * ```
 *
 * - admitting: may it be dialed at all, and now (admit.ts)?
 * - preparing: the provider makes its room and agent ready; 20 s at most.
 * - pacing: it waits for a slot that keeps to the gateway's calls per second (pacing.ts).
 * - slotted: a timer waits for the slot, at most a quarter of a second.
 * - at the gate: it is committed as `dialing`; if it passes, `dial` is called in the same tick (gating.ts).
 *
 * It is held (held-claims.ts) from `accept` until it is put before the gate, dialed, or given back. Whatever comes back from
 * a step about a claim that is not held is dropped: that is what keeps an attempt from being dialed under two claims. If this
 * process dies, the claims end with its lease and another dialer takes them.
 *
 * @param dial sends the INVITE in the tick it is called
 * @param unsendable called with attempts that passed the gate but must no longer be sent
 * @param unanswered called with attempts whose answer from the gate was lost; none was sent
 * @param admit sorts out what may not be dialed
 * @param unorderable called with an attempt that cannot become an order, because of its gateway's settings
 * @param settle ends calls whose number came onto the do-not-call list on the way, nothing consumed
 */
export function createDialPipeline(deps: {
  readonly db: Db;
  readonly lease: Lease;
  readonly provider: CallProvider;
  readonly orderFor: (attempt: ClaimedAttempt) => DialOrder;
  readonly dial: (attempt: ClaimedAttempt, order: DialOrder) => void;
  readonly unsendable: (attempt: ClaimedAttempt, order: DialOrder) => void;
  readonly unanswered: (dials: readonly PendingDial[]) => void;
  readonly unorderable: (attempt: ClaimedAttempt, error: unknown) => Promise<void>;
  readonly admit: Admit;
  readonly settle: (attempts: readonly UndialedAttempt[], reason: EndReason) => Promise<void>;
  readonly watch: Watch;
  readonly logger: Logger;
  readonly metrics: DialerMetrics;
  readonly leastPatienceMs?: number | undefined;
}): DialPipeline {
  const held = createHeldClaims();
  const admissions = new Set<Promise<void>>();
  const latency = createLatency(deps.leastPatienceMs);

  const notGivenBack = (attempts: readonly LoggedAttempt[]) => (error: unknown) =>
    deps.logger.error(
      { err: error, ...idsOfSeveral(attempts) },
      'claimed calls could not be given back to the queue; trying again later',
    );

  async function release(attempts: readonly ClaimedAttempt[], delaySeconds: number): Promise<void> {
    for (const attempt of attempts) held.letGo(attempt);
    if (attempts.length > 0) await releaseAttempts(deps.db, attempts, delaySeconds);
  }

  const giveBack = (attempts: readonly ClaimedAttempt[]): Promise<void> => release(attempts, heldSeconds);

  async function admit(attempts: readonly ClaimedAttempt[]): Promise<void> {
    const admitted = await deps.admit(attempts);
    const going = new Set(admitted.map(({ attempt }) => attempt));
    for (const attempt of attempts) if (!going.has(attempt)) held.letGo(attempt);
    for (const { attempt, permit } of admitted) {
      prepare(attempt, permit).catch(notGivenBack([attempt]));
    }
  }

  async function putOff(attempt: ClaimedAttempt, error: unknown): Promise<void> {
    deps.logger.error(
      { err: error, ...idsOf(attempt) },
      'a claimed call cannot be judged; it goes back to the queue, and is looked at again later',
    );
    await release([attempt], unjudgeableSeconds);
  }

  /** What fails for another reason than what is in it goes back to the queue. */
  const admitOrGiveBack = (attempts: readonly ClaimedAttempt[]): Promise<void> =>
    admit(attempts).catch((error: unknown) => {
      if (isAboutItsData(error)) throw error;
      return judgedLater(attempts)(error);
    });

  const judgedLater =
    (attempts: readonly ClaimedAttempt[]) =>
    async (error: unknown): Promise<void> => {
      deps.logger.error(
        { err: error, ...idsOfSeveral(attempts) },
        'claimed calls could not be judged; they go back to the queue',
      );
      await giveBack(attempts).catch(notGivenBack(attempts));
    };

  async function prepare(attempt: ClaimedAttempt, permit: DialPermit): Promise<void> {
    const { disclosure } = permit;
    let order: DialOrder;
    try {
      order = { ...deps.orderFor(attempt), ...(disclosure === null ? {} : { disclosure }) };
    } catch (error) {
      await deps.unorderable(attempt, error);
      await giveBack([attempt]);
      return;
    }
    try {
      await within(prepareLimitMs, deps.provider.prepare(order));
    } catch (error) {
      deps.logger.warn(
        { err: error, ...idsOf(attempt) },
        'the provider could not prepare a call; it goes back to the queue',
      );
      held.letGo(attempt);
      const unsent = error instanceof ProviderUnreachable ? error.unsent : null;
      const seconds = unsent === null ? 0 : await noteUnprepared(deps.db, attempt.gatewayId, unsent);
      await release([attempt], secondsUnprepared(seconds));
      return;
    }
    pace([{ attempt, order, permit, dialAtMs: 0, patienceMs: 0 }]);
  }

  function pace(dials: readonly PendingDial[]): void {
    const still = dials.filter(({ attempt }) => held.has(attempt));
    if (still.length > 0) pacing.add(still);
  }

  const pacing = createPacing({
    latency,
    ask: (gatewayId, keys, leadMs, patienceMs) =>
      deps.watch('pace', () => paceAttempts(deps.db, deps.lease.processId, gatewayId, keys, leadMs, patienceMs)),
    slotted: (dials) => gating.add(dials),
    lost: (dials) => {
      for (const { attempt } of dials) held.letGo(attempt);
    },
    refused: (dials, error) => {
      const attempts = dials.map(attemptOf);
      deps.logger.error(
        { err: error, ...idsOfSeveral(attempts) },
        'calls could not be paced; they go back to the queue',
      );
      giveBack(attempts).catch(notGivenBack(attempts));
    },
  });

  const gating = createGating({
    db: deps.db,
    lease: deps.lease,
    logger: deps.logger,
    metrics: deps.metrics,
    watch: deps.watch,
    latency,
    leaves: ({ attempt }) => held.letGo(attempt),
    dial: ({ attempt, order }) => deps.dial(attempt, order),
    unsendable: ({ attempt, order }) => deps.unsendable(attempt, order),
    refused: sortOut,
    unanswered: deps.unanswered,
    unaskable: ({ attempt }, error) => putOff(attempt, error),
  });

  async function sortOut(refused: readonly (readonly [PendingDial, GatedAttempt])[]): Promise<void> {
    for (const [{ attempt, order }, { refusal }] of refused) {
      if (refusal === null) continue;
      deps.metrics.refusedAtGate.inc({ refusal });
      deps.logger.debug(
        { ...idsOfInvite({ ...attempt, invite: order.invite }), refusal },
        'the gate refused an attempt',
      );
    }
    const refusals = refused.map(([pendingDial, { refusal }]) => [pendingDial, refusal] as const);
    for (const [step, dials] of stepsAfterRefusals(refusals)) await take(step, dials);
  }

  async function take(step: NextStep, dials: readonly PendingDial[]): Promise<void> {
    const attempts = dials.map(attemptOf);
    if (step.to === 'pace') {
      for (const attempt of attempts) held.takeBack(attempt);
      pace(dials);
    } else if (step.to === 'queue') await release(attempts, step.afterSeconds);
    else if (step.to === 'settle') await deps.settle(attempts, step.reason);
  }

  return {
    get waiting() {
      return held.size;
    },
    accept(attempts) {
      const fresh = held.accept(attempts);
      if (fresh.length === 0) return;
      if (deps.logger.isLevelEnabled('debug')) {
        for (const attempt of fresh) deps.logger.debug(idsOf(attempt), 'an attempt was claimed');
      }
      const admission = inHalves(fresh, admitOrGiveBack, (attempt, error) =>
        putOff(attempt, error).catch(judgedLater([attempt])),
      );
      admissions.add(admission);
      void admission.finally(() => admissions.delete(admission));
    },
    async releaseForgotten() {
      const holding = new Set(held.all().map((attempt) => attempt.claimId));
      const forgotten = (await oldClaims(deps.db, deps.lease.processId, forgottenAfterSeconds)).filter(
        ({ claimId }) => !holding.has(claimId),
      );
      if (forgotten.length === 0) return;
      deps.logger.warn(
        idsOfSeveral(forgotten),
        'the dialer found claims that it does not hold; they go back to the queue',
      );
      await inHalves(
        forgotten,
        (some) => releaseAttempts(deps.db, some, heldSeconds),
        (claim, error) => notGivenBack([claim])(error),
      );
    },
    async close() {
      pacing.close();
      await Promise.all(admissions);
      await gating.close();
      await release(held.all(), 0);
    },
    drop() {
      gating.drop();
      pacing.close();
      held.drop();
    },
  };
}

const attemptOf = ({ attempt }: PendingDial): ClaimedAttempt => attempt;

import type { Db } from '../db/client.js';
import { keyText } from '../db/queries/dialer/attempt-key.js';
import { oldClaims, type ClaimedAttempt } from '../db/queries/dialer/claim-attempts.js';
import type { GatedAttempt } from '../db/queries/dialer/gate-attempts.js';
import { paceAttempts } from '../db/queries/dialer/pace-attempts.js';
import { releaseAttempts } from '../db/queries/dialer/release-attempts.js';
import type { UndialedAttempt } from '../db/queries/dialer/settle-undialed.js';
import type { Logger } from '../platform/logger.js';
import type { CallProvider, DialOrder } from '../telephony/provider.js';
import type { Admit } from './admit.js';
import { keyOf, type PendingDial } from './pending-dial.js';
import { createGating } from './gating.js';
import type { Watch } from './health.js';
import { createLatency } from './latency.js';
import type { Lease } from './lease.js';
import type { DialPermit } from './eligibility.js';
import type { DialerMetrics } from './metrics.js';
import { createPacing } from './pacing.js';
import type { EndReason } from '../domain/call/end-reasons.js';

export interface DialPipeline {
  /**
   * Takes over claimed attempts: prepares, paces, gates and dials each, or gives it back. A claim that is held already is
   * refused; an earlier claim of the same attempt is dropped, because it is void since the later one was made.
   */
  accept(attempts: readonly ClaimedAttempt[]): void;
  /** Claimed attempts that have neither been dialed nor given back. */
  readonly waiting: number;
  /** Gives back claims of this process that it does not remember: an error lost them between the database and here. */
  releaseForgotten(): Promise<void>;
  /** Gives everything undialed back to the queue. */
  close(): Promise<void>;
  /** Forgets everything undialed, at once and without a word: the lease has run out, and others have it or will. */
  drop(): void;
}

const prepareLimitMs = 20_000;
const heldSeconds = 1;
const forgottenAfterSeconds = 30;
const agentInactiveSeconds = 5;
const longestPrepareBackoffSeconds = 60;

/**
 * The way of a claimed attempt to its INVITE: admit (may it be dialed at all, and now), prepare (room, agent), pace (a slot
 * that keeps to the gateway's calls per second), gate (committed as `dialing`), dial, in that order and the last two in one
 * breath.
 *
 * The timers here are those of slots at most a quarter of a second ahead; if this process dies with them, the attempts'
 * claim ends with its lease and another dialer takes them.
 *
 * @param dial sends the INVITE in the tick it is called
 * @param unsendable told of attempts that passed the gate but must not be sent any more
 * @param unanswered told of attempts at the gate whose answer was lost; nothing of them was sent
 * @param admit sorts out what may not be dialed
 * @param unorderable told of an attempt of which no order can be made, by the settings of its gateway
 * @param settle ends calls that came onto the do-not-call list on the way, nothing consumed
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
}): DialPipeline {
  /** All that is claimed and neither dialed nor given back: one claim for each attempt. */
  const held = new Map<string, ClaimedAttempt>();
  const admissions = new Set<Promise<void>>();
  const latency = createLatency();
  let dropped = false;

  const failed = (what: string) => (error: unknown) => deps.logger.error({ err: error }, what);

  const isHeld = (attempt: ClaimedAttempt): boolean => held.get(keyText(keyOf(attempt)))?.claim_id === attempt.claim_id;

  /** @returns whether it was held */
  function letGo(attempt: ClaimedAttempt): boolean {
    return isHeld(attempt) && held.delete(keyText(keyOf(attempt)));
  }

  async function release(attempts: readonly ClaimedAttempt[], delaySeconds: number): Promise<void> {
    for (const attempt of attempts) letGo(attempt);
    if (attempts.length > 0) await releaseAttempts(deps.db, attempts.map(keyOf), delaySeconds);
  }

  async function admit(attempts: readonly ClaimedAttempt[]): Promise<void> {
    const admitted = await deps.admit(attempts);
    const going = new Set(admitted.map(({ attempt }) => attempt));
    for (const attempt of attempts) if (!going.has(attempt)) letGo(attempt);
    for (const { attempt, permit } of admitted) {
      prepare(attempt, permit).catch(failed('a call could not be given back; trying again later'));
    }
  }

  async function prepare(attempt: ClaimedAttempt, permit: DialPermit): Promise<void> {
    const { disclosure } = permit;
    let order: DialOrder;
    try {
      order = { ...deps.orderFor(attempt), ...(disclosure === null ? {} : { disclosure }) };
    } catch (error) {
      await deps.unorderable(attempt, error);
      await release([attempt], heldSeconds);
      return;
    }
    try {
      await within(prepareLimitMs, deps.provider.prepare(order));
    } catch (error) {
      deps.logger.warn(
        { err: error, callId: attempt.call_id, gatewayId: attempt.gateway_id },
        'a call could not be prepared',
      );
      await release([attempt], Math.min(longestPrepareBackoffSeconds, 2 ** attempt.invite));
      return;
    }
    pace([{ attempt, order, permit, dialAtMs: 0, patienceMs: 0 }]);
  }

  function pace(dials: readonly PendingDial[]): void {
    const still = dials.filter(({ attempt }) => isHeld(attempt));
    if (still.length > 0) pacing.add(still);
  }

  const pacing = createPacing({
    latency,
    ask: (gatewayId, keys, leadMs, patienceMs) =>
      deps.watch('pace', () => paceAttempts(deps.db, deps.lease.processId, gatewayId, keys, leadMs, patienceMs)),
    slotted: (dials) => gating.add(dials),
    lost: (dials) => {
      for (const { attempt } of dials) letGo(attempt);
    },
    refused: (dials, error) => {
      deps.logger.error({ err: error }, 'calls could not be paced; they go back to the queue');
      release(dials.map(attemptOf), heldSeconds).catch(failed('calls could not be given back; trying again later'));
    },
  });

  const gating = createGating({
    ...{ db: deps.db, lease: deps.lease, logger: deps.logger, metrics: deps.metrics, latency, watch: deps.watch },
    leaves: ({ attempt }) => letGo(attempt),
    dial: ({ attempt, order }) => deps.dial(attempt, order),
    unsendable: ({ attempt, order }) => deps.unsendable(attempt, order),
    refused: sortOut,
    unanswered: deps.unanswered,
  });

  /** These have not left: they are held again, and get a new slot. */
  function again(dials: readonly PendingDial[]): void {
    if (dropped) return;
    for (const { attempt } of dials) {
      if (!held.has(keyText(keyOf(attempt)))) held.set(keyText(keyOf(attempt)), attempt);
    }
    pace(dials);
  }

  async function sortOut(refused: readonly (readonly [PendingDial, GatedAttempt])[]): Promise<void> {
    const because = (...refusals: readonly GatedAttempt['refusal'][]) =>
      refused.filter(([, { refusal }]) => refusals.includes(refusal)).map(([pendingDial]) => pendingDial);
    for (const [, { refusal }] of refused) if (refusal !== null) deps.metrics.refusedAtGate.inc({ refusal });

    again(because('late'));
    await release(because('held').map(attemptOf), heldSeconds);
    // Claimed and judged anew.
    await release(because('window_closed', 'guardrails_changed').map(attemptOf), 0);
    await release(because('agent_inactive').map(attemptOf), agentInactiveSeconds);
    const unwanted = because('do_not_call').map(({ attempt }) => keyOf(attempt));
    if (unwanted.length > 0) await deps.settle(unwanted, 'do_not_call');
  }

  return {
    get waiting() {
      return held.size;
    },
    accept(attempts) {
      if (dropped) return;
      const fresh = attempts.filter((attempt) => !isHeld(attempt));
      for (const attempt of fresh) held.set(keyText(keyOf(attempt)), attempt);
      const admission = admit(fresh).catch(async (error: unknown) => {
        deps.logger.error({ err: error }, 'calls could not be judged; they go back to the queue');
        await release(fresh, heldSeconds).catch(failed('calls could not be given back; trying again later'));
      });
      admissions.add(admission);
      void admission.finally(() => admissions.delete(admission));
    },
    async releaseForgotten() {
      const holding = new Set([...held.values()].map((attempt) => attempt.claim_id));
      const forgotten = (await oldClaims(deps.db, deps.lease.processId, forgottenAfterSeconds)).filter(
        ({ claimId }) => !holding.has(claimId),
      );
      if (forgotten.length === 0) return;
      deps.logger.warn({ attempts: forgotten.length }, 'claims had been forgotten; they go back to the queue');
      await releaseAttempts(deps.db, forgotten, heldSeconds);
    },
    async close() {
      pacing.close();
      await Promise.all(admissions);
      await gating.close();
      await release([...held.values()], 0);
    },
    drop() {
      dropped = true;
      gating.drop();
      pacing.close();
      held.clear();
    },
  };
}

const attemptOf = ({ attempt }: PendingDial): ClaimedAttempt => attempt;

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`not ready within ${limitMs / 1000} s`)), limitMs);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

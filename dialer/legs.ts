import type { Db } from '../db/client.js';
import { inviteText } from '../domain/call/attempt-key.js';
import type { ClaimedAttempt } from '../db/queries/dialer/claim-attempts.js';
import { hangUpOrders } from '../db/queries/dialer/queue-sweep.js';
import {
  adoptLegs,
  oldLegs,
  requeueClaimedOfDead,
  takeOverLegsOfDead,
  type OrphanedLeg,
} from '../db/queries/dialer/lease.js';
import type { UnsentReason } from '../domain/call/unsent.js';
import type { Logger } from '../platform/logger.js';
import {
  ProviderUnreachable,
  type AttemptRef,
  type AttemptResult,
  type CallProvider,
  type DialOrder,
} from '../telephony/provider.js';
import { idsOf, idsOfInvite, idsOfSeveral } from './log-ids.js';
import type { DialerMetrics } from './metrics.js';
import { refOf } from './order.js';
import type { Leg, Progress } from './progress.js';
import { createSeparately } from './separately.js';

export interface Legs {
  /** Sends the INVITE of an attempt that has passed the gate, in this tick. */
  dial(attempt: ClaimedAttempt, order: DialOrder): void;
  /** Gives back an attempt that passed the gate but was never sent. */
  neverSent(attempt: ClaimedAttempt, order: DialOrder): void;
  /**
   * Goes on under another id of this process: follows the legs that no other dialer has taken since the lease ran out, and
   * lets go of the others.
   */
  adopt(processId: string): Promise<void>;
  /** Gives back what dead dialers had claimed and not dialed. @returns gateways that have something to dial again */
  giveBackClaims(): Promise<readonly string[]>;
  /** Takes over the legs that dead dialers have left. */
  recover(): Promise<void>;
  /** Asks about legs of this process that it does not hold: an error lost them between the database and here. */
  recoverForgotten(): Promise<void>;
  /** Hangs up the legs that a hang-up was requested for; does not wait for the provider. Repeated until they are over. */
  hangUp(): Promise<void>;
  /** Legs of this process that have not been answered: their SIP codes would be lost with the process. */
  readonly unanswered: number;
  readonly live: number;
  /** Stops watching: from here on the legs are the next dialer's. */
  abandon(): void;
}

const takeOverMost = 100;
const askAgainMs = 2_000;
const forgottenAfterSeconds = 30;
/** After this time the credentials of a frozen dialer have expired: it can no longer send the INVITE it was let out for. */
const fenceByAgeSeconds = 65;

/**
 * The legs of this process, from INVITE to end.
 *
 * ```
 * dial ──────────▶ live ─────────── result ────────────▶ over
 *                    │ answer lost                        ▲
 *                    ▼                                    │
 * takeover ──────▶ asking, every 2 s ── over or fenced ───┤
 *                    │   ▲                                │
 *               live ▼   │ answer lost                    │
 *                  following ──────── result ─────────────┘
 * ```
 *
 * The provider decides what became of a leg: its result goes to `progress`. A leg that is absent and may still be placed is
 * hung up and asked about until 65 s after its INVITE, then it ends `unknown` and is never dialed again. A leg that was let go
 * (another dialer follows it) or abandoned (this process stops) reports nothing more, however it ends.
 */
export function createLegs(deps: {
  readonly db: Db;
  /** The id that this process has now. */
  readonly processId: () => string;
  readonly provider: CallProvider;
  readonly progress: Progress;
  readonly logger: Logger;
  readonly metrics: DialerMetrics;
}): Legs {
  const { provider, progress, logger } = deps;
  const live = new Map<string, Watched>();
  const hangUps = createSeparately();
  let abandoned = false;

  function watch(
    leg: Leg,
    ref: AttemptRef,
    since: number,
    start: (
      on: Parameters<CallProvider['dial']>[1],
      isOver: () => boolean,
      ofLeg: LegLogger,
    ) => Promise<AttemptResult | null>,
  ): void {
    const state: Watched = { leg, ref, answered: false, letGo: false };
    // Most legs have nothing to log, and a logger of their own takes as long to make as everything else here.
    const ofLeg = () => logger.child(legIds(leg));
    const isOver = () => abandoned || state.letGo;
    const id = inviteText(ref);
    live.set(id, state);
    deps.metrics.liveLegs.set(live.size);
    const on: Parameters<CallProvider['dial']>[1] = (event) => {
      if (isOver()) return;
      if (event.type === 'answered') state.answered = true;
      progress.event(leg, event);
    };
    start(on, isOver, ofLeg)
      .catch((error: unknown) => {
        if (error instanceof ProviderUnreachable) return notSent(error.message, error.unsent);
        if (isOver()) return null;
        ofLeg().warn({ err: error }, 'the answer of the provider to a dial was lost; asking it about the call');
        return outcomeOf(ref, since, on, isOver, ofLeg);
      })
      .then((result) => {
        if (result !== null && !isOver()) progress.over(leg, result);
      })
      .catch((error: unknown) => ofLeg().error({ err: error }, 'the dialer could not follow a call to its end'))
      .finally(() => {
        if (live.get(id) === state) live.delete(id);
        deps.metrics.liveLegs.set(live.size);
      });
  }

  /** Asks the provider until it is known how the leg ended. @returns null if this process no longer follows it */
  async function outcomeOf(
    ref: AttemptRef,
    since: number,
    on: Parameters<CallProvider['dial']>[1],
    isOver: () => boolean,
    ofLeg: LegLogger,
  ): Promise<AttemptResult | null> {
    while (!isOver()) {
      try {
        const answer = await provider.reconcile(ref);
        if (answer === 'live') return await provider.follow(ref, on);
        if (answer === 'fenced') return notSent('never placed, and refused from now on');
        if (answer !== 'absent') return answer;
        await provider.hangUp(ref, 'lost');
        if (Date.now() - since > fenceByAgeSeconds * 1000) return { how: 'unknown', rang: false, at: new Date() };
      } catch (error) {
        ofLeg().warn({ err: error }, 'the provider could not be asked about a call; asking again');
      }
      await new Promise((resolve) => setTimeout(resolve, askAgainMs).unref());
    }
    return null;
  }

  function takeOver(orphan: OrphanedLeg): void {
    const ref = refOf(orphan, orphan.invite, orphan.room);
    const since = Date.now() - orphan.ageSeconds * 1000;
    watch(legOf(orphan, orphan.invite), ref, since, (on, isOver, ofLeg) => outcomeOf(ref, since, on, isOver, ofLeg));
  }

  return {
    dial(attempt, order) {
      deps.metrics.invites.inc();
      const leg = legOf(attempt, order.invite);
      logger.debug(legIds(leg), 'the INVITE of an attempt is sent');
      watch(leg, order, Date.now(), (on) => provider.dial(order, on));
    },
    neverSent(attempt, order) {
      progress.over(legOf(attempt, order.invite), notSent('the dialer was stopped before it could send'));
    },
    async adopt(processId) {
      const watched = [...live.values()].filter(({ letGo }) => !letGo);
      const followed = [...new Set([...watched.map(({ leg }) => leg), ...progress.uncommitted()])];
      if (followed.length === 0) return;
      for (const leg of followed) leg.changesHands = true;
      try {
        const adopted = await adoptLegs(
          deps.db,
          processId,
          followed.map(({ key, claimId }) => ({ ...key, claimId })),
        );
        const claims = new Map(adopted.map((key) => [inviteText(key), key.claimId]));
        for (const leg of followed) leg.claimId = claims.get(inviteText(leg.key)) ?? leg.claimId;
        const taken = watched.filter(({ leg }) => !claims.has(inviteText(leg.key)));
        for (const state of taken) {
          state.letGo = true;
          provider.letGo(state.ref);
        }
        logger.warn(
          { ...idsOfSeveral(followed.map(attemptOf)), held: adopted.length, taken: taken.length },
          'the dialer holds its live calls under its new id',
        );
      } finally {
        for (const leg of followed) leg.changesHands = false;
      }
    },
    giveBackClaims: () =>
      requeueClaimedOfDead(deps.db, deps.processId(), (claimed, error) =>
        logger.error({ err: error, ...idsOf(claimed) }, 'a claim of a dead dialer cannot be given back; trying again'),
      ),
    async recover() {
      const orphans = await takeOverLegsOfDead(deps.db, deps.processId(), takeOverMost, (orphan, error) =>
        logger.error({ err: error, ...idsOf(orphan) }, 'a call of a dead dialer cannot be taken over; trying again'),
      );
      if (orphans.length > 0)
        logger.info(idsOfSeveral(orphans), 'the dialer takes over live calls of a dialer that is gone');
      deps.metrics.takenOver.inc(orphans.length);
      for (const orphan of orphans) takeOver(orphan);
    },
    async recoverForgotten() {
      const old = await oldLegs(deps.db, deps.processId(), forgottenAfterSeconds);
      // Their end is known, if a database that was away has kept it from being committed.
      const uncommitted = new Set(progress.uncommitted().map(({ key }) => inviteText(key)));
      const forgotten = old.filter((leg) => {
        const id = inviteText(leg);
        return !live.has(id) && !uncommitted.has(id);
      });
      if (forgotten.length > 0)
        logger.warn(
          idsOfSeveral(forgotten),
          'the dialer found live calls that it does not follow; asking the provider about them',
        );
      for (const orphan of forgotten) takeOver(orphan);
    },
    async hangUp() {
      for (const order of await hangUpOrders(deps.db, deps.processId())) {
        const { callId, attempt, invite, gatewayId, room, reason } = order;
        const ref = { callId, attempt, invite, gatewayId, room };
        hangUps.begin(inviteText(ref), () =>
          provider
            .hangUp(ref, reason ?? 'ended_by_api')
            .catch((error: unknown) =>
              logger.warn({ err: error, ...idsOfInvite(order) }, 'a call could not be hung up; trying again'),
            ),
        );
      }
    },
    get unanswered() {
      return [...live.values()].filter((leg) => !leg.answered).length;
    },
    get live() {
      return live.size;
    },
    abandon() {
      abandoned = true;
    },
  };
}

/** Makes the logger of a leg, whose lines have its ids. */
type LegLogger = () => Logger;

/** A leg that this process follows. */
interface Watched {
  readonly leg: Leg;
  readonly ref: AttemptRef;
  answered: boolean;
  /** Another dialer follows it. */
  letGo: boolean;
}

const attemptOf = ({ key, accountId, batchId, gatewayId }: Leg) => ({ ...key, accountId, batchId, gatewayId });
const legIds = (leg: Leg) => idsOfInvite(attemptOf(leg));

const legOf = (attempt: ClaimedAttempt, invite: number): Leg => ({
  key: { callId: attempt.callId, attempt: attempt.attempt, invite },
  claimId: attempt.claimId,
  changesHands: false,
  accountId: attempt.accountId,
  batchId: attempt.batchId,
  gatewayId: attempt.gatewayId,
});

const notSent = (words: string, unsent: UnsentReason | null = null): AttemptResult => ({
  how: 'not_sent',
  rang: false,
  at: new Date(),
  words,
  ...(unsent === null ? {} : { unsent }),
});

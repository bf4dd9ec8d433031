import { performance } from 'node:perf_hooks';
import type { Db } from '../db/client.js';
import { isAboutItsData } from '../db/data-fault.js';
import { gateAttempts, type GatedAttempt } from '../db/queries/dialer/gate-attempts.js';
import type { Logger } from '../platform/logger.js';
import type { PendingDial } from './pending-dial.js';
import type { Watch } from './health.js';
import { gatherMs, type Latency, patienceAtGateMs } from './latency.js';
import type { Lease } from './lease.js';
import { inHalves } from '../db/in-halves.js';
import { idsOfSeveral } from './log-ids.js';
import type { DialerMetrics } from './metrics.js';
import { elapsedMs, now } from './moment.js';

export interface Gating {
  /** Puts these before the gate when their slots have come. */
  add(dials: readonly PendingDial[]): void;
  /** Asks no more; resolves when the present question is answered and what passed is dialed. */
  close(): Promise<void>;
  /** Asks no more and dials no more, even if an answer is still to come. */
  drop(): void;
}

/**
 * More time than this between gate and INVITE means that the process or the machine was stopped: it must not send. The
 * patience of a dial is usually much less.
 */
const frozenMs = 2_000;

/**
 * Puts dials before the gate when their slots have come, and dials those that pass in the same tick.
 *
 * Each claim is asked about and dialed at most once: a dial is taken out of what is held before the gate is asked, and each
 * answer is used once. What passed is sent only while the lease runs for certain, and only within its patience after its
 * slot; otherwise more calls could leave in a second than the gateway takes. It is never sent after the end of its window, however
 * long the answer took.
 *
 * @param leaves takes a pending dial out of what is held; false if it is no longer held, and so must not be dialed
 * @param unsendable called with those that passed but must no longer be sent
 * @param refused called with those that did not pass
 * @param unanswered called with those for which the gate's answer was lost: whether they passed is unknown, but none was sent
 * @param unaskable called with one about which PostgreSQL refuses to answer; it has not passed
 */
export function createGating(deps: {
  readonly db: Db;
  readonly lease: Lease;
  readonly leaves: (pendingDial: PendingDial) => boolean;
  readonly dial: (pendingDial: PendingDial) => void;
  readonly unsendable: (pendingDial: PendingDial) => void;
  readonly refused: (refused: readonly (readonly [PendingDial, GatedAttempt])[]) => Promise<void>;
  readonly unanswered: (dials: readonly PendingDial[]) => void;
  readonly unaskable: (pendingDial: PendingDial, error: unknown) => Promise<void>;
  readonly watch: Watch;
  readonly latency: Latency;
  readonly logger: Logger;
  readonly metrics: DialerMetrics;
}): Gating {
  let slotted: PendingDial[] = [];
  let timer: NodeJS.Timeout | null = null;
  let asking: Promise<void> | null = null;
  let closed = false;
  let dropped = false;

  function schedule(): void {
    if (asking !== null || slotted.length === 0 || closed) return;
    if (timer !== null) clearTimeout(timer);
    const firstMs = Math.min(...slotted.map((pendingDial) => pendingDial.dialAtMs));
    // The last of those that share its question: a dial without others near it does not wait for any.
    const together = slotted.filter(({ dialAtMs }) => dialAtMs <= firstMs + gatherMs);
    const askAtMs = Math.max(...together.map(({ dialAtMs }) => dialAtMs));
    timer = setTimeout(
      () => {
        timer = null;
        asking = ask()
          .catch((error: unknown) =>
            deps.logger.error(
              { err: error },
              'calls that the gate refused could not be given back to the queue; trying again later',
            ),
          )
          .finally(() => {
            asking = null;
            schedule();
          });
      },
      Math.max(0, Math.ceil(askAtMs - performance.now())),
    );
  }

  async function ask(): Promise<void> {
    const startedMs = now().monotonicMs;
    const due = slotted.filter((pendingDial) => pendingDial.dialAtMs <= startedMs);
    slotted = slotted.filter((pendingDial) => pendingDial.dialAtMs > startedMs);
    const leaving = due.filter((pendingDial) => deps.leaves(pendingDial));
    // One that is refused has not passed, nor have those that were asked about with it.
    await inHalves(leaving, askAbout, deps.unaskable);
  }

  async function askAbout(leaving: readonly PendingDial[]): Promise<void> {
    const started = now();
    const startedMs = started.monotonicMs;
    let answers: GatedAttempt[];
    try {
      answers = await deps.watch('gate', () =>
        gateAttempts(
          deps.db,
          deps.lease.processId,
          leaving.map(({ order, attempt, patienceMs, permit: { revision, until } }) => ({
            ...attempt,
            invite: order.invite,
            room: order.room,
            revision,
            until,
            patienceMs: patienceAtGateMs(patienceMs, deps.latency.roundTripMs),
          })),
        ),
      );
    } catch (error) {
      if (isAboutItsData(error)) throw error;
      deps.logger.error(
        { err: error, ...idsOfSeveral(leaving.map(({ attempt }) => attempt)) },
        'the answer of the gate was lost; no INVITE was sent',
      );
      deps.unanswered(leaving);
      return;
    }
    const tookMs = elapsedMs(started);
    deps.latency.answered(performance.now() - startedMs);
    const maySend = !dropped && tookMs <= frozenMs && deps.lease.holds();
    const byClaim = new Map(leaving.map((pendingDial) => [pendingDial.attempt.claimId, pendingDial]));
    const refused: [PendingDial, GatedAttempt][] = [];
    for (const answer of answers) {
      const pendingDial = byClaim.get(answer.claimId);
      if (pendingDial === undefined) continue;
      byClaim.delete(answer.claimId);
      const lateMs = (answer.lateMs ?? Infinity) + tookMs;
      if (answer.lateMs !== null) deps.latency.known(lateMs);
      if (answer.refusal !== null) refused.push([pendingDial, answer]);
      else if (maySend && lateMs <= pendingDial.patienceMs && tookMs < (answer.closesInMs ?? Infinity)) {
        deps.dial(pendingDial);
      } else deps.unsendable(pendingDial);
    }
    deps.metrics.gateSeconds.observe(tookMs / 1000);
    if (!dropped) await deps.refused(refused);
  }

  return {
    add(dials) {
      slotted.push(...dials);
      schedule();
    },
    async close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      await asking;
    },
    drop() {
      [closed, dropped, slotted] = [true, true, []];
      if (timer !== null) clearTimeout(timer);
    },
  };
}

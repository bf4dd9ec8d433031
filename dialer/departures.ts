import { performance } from 'node:perf_hooks';
import type { Db } from '../db/client.js';
import type { AttemptKey } from '../db/queries/dialer/attempt-key.js';
import { keyText } from '../db/queries/dialer/attempt-key.js';
import { oldClaims, type ClaimedAttempt } from '../db/queries/dialer/claim-attempts.js';
import { gateAttempts, type GatedAttempt } from '../db/queries/dialer/gate-attempts.js';
import { paceAttempts } from '../db/queries/dialer/pace-attempts.js';
import { releaseAttempts } from '../db/queries/dialer/release-attempts.js';
import type { Logger } from '../platform/logger.js';
import type { CallProvider, DialOrder } from '../telephony/provider.js';
import type { Admit } from './admit.js';
import { keyOf, type Departure } from './departure.js';
import type { Pass } from './judge.js';
import type { DialerMetrics } from './metrics.js';
import { createPacing } from './pacing.js';

export interface Departures {
  /** Takes over claimed attempts: prepares, paces, gates and dials each, or gives it back. */
  accept(attempts: readonly ClaimedAttempt[]): void;
  /** Claimed attempts that have neither been dialed nor given back. */
  readonly waiting: number;
  /** Gives back claims of this process that it does not remember: an error lost them between the database and here. */
  releaseForgotten(): Promise<void>;
  /** Gives everything undialed back to the queue. */
  close(): Promise<void>;
}

const prepareLimitMs = 20_000;
/** Longer than this between gate and INVITE means that the process was stopped: it must not send. */
const frozenMs = 2_000;
/** Attempts whose slots lie this close together go through the gate together, up to this late. */
const gatherMs = 20;
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
 * @param admit sorts out what may not be dialed
 * @param settle ends calls that came onto the do-not-call list on the way, nothing consumed
 */
export function createDepartures(deps: {
  readonly db: Db;
  readonly processId: string;
  readonly provider: CallProvider;
  readonly orderFor: (attempt: ClaimedAttempt) => DialOrder;
  readonly dial: (attempt: ClaimedAttempt, order: DialOrder) => void;
  readonly unsendable: (attempt: ClaimedAttempt, order: DialOrder) => void;
  readonly admit: Admit;
  readonly settle: (keys: readonly AttemptKey[], reason: 'do_not_call') => Promise<void>;
  readonly logger: Logger;
  readonly metrics: DialerMetrics;
}): Departures {
  /** All that is claimed and not dialed, by attempt. */
  const held = new Map<string, Departure>();
  /** Attempts that are being judged. */
  const judging = new Map<string, ClaimedAttempt>();
  const admissions = new Set<Promise<void>>();
  let slotted: Departure[] = [];
  let gateTimer: NodeJS.Timeout | null = null;
  let gating: Promise<void> | null = null;
  let closed = false;

  const failed = (what: string) => (error: unknown) => deps.logger.error({ err: error }, what);

  async function release(departures: readonly Departure[], delaySeconds: number): Promise<void> {
    for (const departure of departures) held.delete(heldAs(departure));
    if (departures.length === 0) return;
    await releaseAttempts(
      deps.db,
      deps.processId,
      departures.map(({ attempt }) => keyOf(attempt)),
      delaySeconds,
    );
  }

  async function admit(attempts: readonly ClaimedAttempt[]): Promise<void> {
    for (const attempt of attempts) judging.set(keyText(keyOf(attempt)), attempt);
    try {
      const admitted = await deps.admit(attempts);
      for (const { attempt, pass } of admitted) {
        prepare(attempt, pass).catch(failed('a call could not be given back; trying again later'));
      }
    } finally {
      for (const attempt of attempts) judging.delete(keyText(keyOf(attempt)));
    }
  }

  async function prepare(attempt: ClaimedAttempt, pass: Pass): Promise<void> {
    const { disclosure } = pass;
    const order = { ...deps.orderFor(attempt), ...(disclosure === null ? {} : { disclosure }) };
    const departure: Departure = { attempt, order, pass, dialAtMs: 0 };
    held.set(heldAs(departure), departure);
    try {
      await within(prepareLimitMs, deps.provider.prepare(departure.order));
    } catch (error) {
      deps.logger.warn(
        { err: error, callId: attempt.call_id, gatewayId: attempt.gateway_id },
        'a call could not be prepared',
      );
      await release([departure], Math.min(longestPrepareBackoffSeconds, 2 ** attempt.invite));
      return;
    }
    if (held.has(heldAs(departure))) pacing.add([departure]);
  }

  const pacing = createPacing({
    ask: (gatewayId, keys) => paceAttempts(deps.db, deps.processId, gatewayId, keys),
    slotted: (departures) => {
      slotted.push(...departures);
      scheduleGate();
    },
    lost: (departures) => {
      for (const departure of departures) held.delete(heldAs(departure));
    },
    refused: (departures, error) => {
      deps.logger.error({ err: error }, 'calls could not be paced; they go back to the queue');
      release(departures, heldSeconds).catch(failed('calls could not be given back; trying again later'));
    },
  });

  function scheduleGate(): void {
    if (gating !== null || slotted.length === 0 || closed) return;
    if (gateTimer !== null) clearTimeout(gateTimer);
    const firstMs = Math.min(...slotted.map((departure) => departure.dialAtMs));
    gateTimer = setTimeout(
      () => {
        gateTimer = null;
        gating = gate()
          .catch(failed('the gate could not be asked; the calls are sorted out later'))
          .finally(() => {
            gating = null;
            scheduleGate();
          });
      },
      Math.max(0, firstMs + gatherMs - performance.now()),
    );
  }

  async function gate(): Promise<void> {
    const startedMs = performance.now();
    const due = slotted.filter((departure) => departure.dialAtMs <= startedMs);
    if (due.length === 0) return;
    slotted = slotted.filter((departure) => departure.dialAtMs > startedMs);
    let answers: GatedAttempt[];
    try {
      answers = await gateAttempts(
        deps.db,
        deps.processId,
        due.map(({ order, attempt, pass: { revision, until } }) => ({
          ...keyOf(attempt),
          ...{ invite: order.invite, room: order.room, revision, until },
        })),
      );
    } catch (error) {
      // Whether it was committed is unknown: those still claimed get a new slot, the others are asked about as lost legs.
      pacing.add(due);
      throw error;
    }
    for (const departure of due) held.delete(heldAs(departure));
    const tookMs = performance.now() - startedMs;
    const byKey = new Map(due.map((departure) => [heldAs(departure), departure]));
    const refused: [Departure, GatedAttempt][] = [];
    for (const answer of answers) {
      const departure = byKey.get(keyText(answer));
      if (departure === undefined) continue;
      if (answer.refusal !== null) refused.push([departure, answer]);
      else if (tookMs > frozenMs) deps.unsendable(departure.attempt, departure.order);
      else deps.dial(departure.attempt, departure.order);
    }
    deps.metrics.gateSeconds.observe(tookMs / 1000);
    await sortOut(refused);
  }

  async function sortOut(refused: readonly (readonly [Departure, GatedAttempt])[]): Promise<void> {
    const because = (...refusals: readonly GatedAttempt['refusal'][]) =>
      refused.filter(([, { refusal }]) => refusals.includes(refusal)).map(([departure]) => departure);
    for (const [, { refusal }] of refused) if (refusal !== null) deps.metrics.refusedAtGate.inc({ refusal });

    const late = because('late');
    for (const departure of late) held.set(heldAs(departure), departure);
    pacing.add(late);
    await release(because('held'), heldSeconds);
    // Claimed and judged anew.
    await release(because('window_closed', 'guardrails_changed'), 0);
    await release(because('agent_inactive'), agentInactiveSeconds);
    const unwanted = because('do_not_call');
    if (unwanted.length > 0)
      await deps.settle(
        unwanted.map(({ attempt }) => keyOf(attempt)),
        'do_not_call',
      );
  }

  return {
    get waiting() {
      return held.size + judging.size;
    },
    accept(attempts) {
      const admission = admit(attempts).catch(async (error: unknown) => {
        deps.logger.error({ err: error }, 'calls could not be judged; they go back to the queue');
        await releaseAttempts(deps.db, deps.processId, attempts.map(keyOf), heldSeconds).catch(
          failed('calls could not be given back; trying again later'),
        );
      });
      admissions.add(admission);
      void admission.finally(() => admissions.delete(admission));
    },
    async releaseForgotten() {
      const forgotten = (await oldClaims(deps.db, deps.processId, forgottenAfterSeconds)).filter(
        (key) => !held.has(keyText(key)) && !judging.has(keyText(key)),
      );
      if (forgotten.length === 0) return;
      deps.logger.warn({ attempts: forgotten.length }, 'claims had been forgotten; they go back to the queue');
      await releaseAttempts(deps.db, deps.processId, forgotten, heldSeconds);
    },
    async close() {
      closed = true;
      if (gateTimer !== null) clearTimeout(gateTimer);
      pacing.close();
      await Promise.all(admissions);
      if (gating !== null) await gating;
      await release([...held.values()], 0);
    },
  };
}

const heldAs = ({ attempt }: Departure): string => keyText(keyOf(attempt));

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

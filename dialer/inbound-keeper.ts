import type { Database } from '../db/client.js';
import { settleTransfer, takeTransfers, giveBackTransfer, type TransferOrder } from '../db/queries/dialer/transfers.js';
import { inboundAnswered, inboundEnded, inboundHolder } from '../db/queries/calls/inbound.js';
import { orderAgentHangUp } from '../db/queries/calls/conversation.js';
import {
  noteAbsence,
  noteAgentAbsence,
  openInboundLeg,
  type OpenInboundLeg,
  takeInboundLegs,
} from '../db/queries/calls/inbound-legs.js';
import { isAnsweredStatus } from '../domain/call/inbound-call.js';
import { legAttributes } from '../domain/call/disconnect.js';
import type { Logger } from '../platform/logger.js';
import { noTracing, type Tracing } from '../platform/tracing.js';
import type { InboundLegs } from '../telephony/inbound.js';
import { AnswerLost, ProviderUnreachable } from '../telephony/provider.js';
import { traceEndedCall } from './call-tracing.js';
import { listen } from './listen.js';
import { idsOf, idsOfSeveral } from './log-ids.js';

const attemptOf = ({ accountId, callId }: OpenInboundLeg) => ({ accountId, callId, attempt: 1 });

const atOnce = 50;
const everyMs = 1_000;
/** After a restart of LiveKit its participants come back within seconds. */
const goneAfterMs = 8_000;
/** How long a caller whose agent is gone waits for another. */
const agentLostAfterMs = 5_000;

export interface KeeperTiming {
  readonly everyMs: number;
  readonly goneAfterMs: number;
  readonly agentLostAfterMs: number;
}

/**
 * Keeps the records of inbound calls true. LiveKit's webhooks may be lost, so the list of a room's participants is read again
 * and again: it is the truth about who is on the line. A caller whose agent is gone gets another one, once each time, and is hung up
 * if none comes. Also hangs up and transfers these calls on request. Any number of processes may run this at once.
 *
 * @returns stops it
 */
export function keepInboundCalls(
  {
    database,
    legs,
    logger,
    tracing = noTracing,
  }: {
    readonly database: Database;
    readonly legs: InboundLegs;
    readonly logger: Logger;
    /** Where spans of the calls go; omitted: nowhere. */
    readonly tracing?: Tracing;
  },
  timing: KeeperTiming = { everyMs, goneAfterMs, agentLostAfterMs },
): () => Promise<void> {
  const { db, pool } = database;
  let stopped = false;
  let underWay: Promise<void> | null = null;
  /** Calls that are looked at: one of a LiveKit that does not answer holds up neither the others nor the next round. */
  const looks = new Map<string, Promise<void>>();

  async function end(leg: OpenInboundLeg, at: Date, callStatus: string): Promise<void> {
    if (!(await inboundEnded(db, leg, { at, callStatus, transferring: false }))) return;
    traceEndedCall({ db, tracing, logger }, { callId: leg.callId, attempt: 1 });
  }

  /** LiveKit sends one agent with a call, and no other when that one's process dies: the caller would hear nothing. */
  async function lookAfterAgent(leg: OpenInboundLeg, ruleId: string, isHere: boolean): Promise<void> {
    const { agentAbsentSince: since } = leg;
    if (isHere) {
      if (since !== null) await noteAgentAbsence(db, leg, false);
    } else if (since === null) {
      if (!(await noteAgentAbsence(db, leg, true))) return;
      logger.warn(idsOf(attemptOf(leg)), 'the agent of a caller is gone; sending another');
      await legs.sendAgent(leg, ruleId);
    } else if (Date.now() - since.getTime() >= timing.agentLostAfterMs) {
      await orderAgentHangUp(db, attemptOf(leg), 'agent_lost');
    }
  }

  async function look(leg: OpenInboundLeg): Promise<void> {
    const found = await legs.find(leg);
    if (found === null) {
      const since = leg.absentSince;
      if (since !== null && Date.now() - since.getTime() >= timing.goneAfterMs) {
        await end(leg, since, '');
      } else await noteAbsence(db, leg, true);
      return;
    }
    const callStatus = found.attributes[legAttributes.callStatus] ?? '';
    if (leg.absentSince !== null) await noteAbsence(db, leg, false);
    if (leg.hangUp) {
      await legs.hangUp(leg);
      await end(leg, new Date(), callStatus);
    } else if (!leg.answered) {
      if (isAnsweredStatus(callStatus)) await inboundAnswered(db, leg, new Date());
    } else if (leg.agentRule !== null) await lookAfterAgent(leg, leg.agentRule, found.hasAgent);
  }

  async function transfer(order: TransferOrder): Promise<void> {
    const { id, callId, to } = order;
    const leg = await openInboundLeg(db, callId);
    if (leg === null) return; // the end of the call settles the transfer
    try {
      await settleTransfer(db, id, await legs.transfer(leg, to));
    } catch (error) {
      logger.warn({ err: error, ...idsOf(order) }, 'the carrier did not answer a transfer');
      if (error instanceof ProviderUnreachable) await giveBackTransfer(db, id);
      else if (!(error instanceof AnswerLost)) {
        await settleTransfer(db, id, { transferred: false, message: 'the carrier could not be asked' });
      }
    }
  }

  function lookAt(legsDue: readonly OpenInboundLeg[]): void {
    const begun = legsDue.map((leg) => {
      const done = look(leg).finally(() => looks.delete(leg.callId));
      looks.set(leg.callId, done);
      return done;
    });
    void Promise.allSettled(begun).then((results) => {
      const failed = results.flatMap((result, place) =>
        result.status === 'fulfilled' ? [] : [{ error: result.reason as unknown, leg: legsDue[place] }],
      );
      // One cause, for example LiveKit that cannot be reached, fails all of them: one line.
      if (failed.length > 0)
        logger.warn(
          {
            err: failed[0]?.error,
            ...idsOfSeveral(failed.flatMap(({ leg }) => (leg === undefined ? [] : attemptOf(leg)))),
          },
          'inbound calls could not be checked; trying again',
        );
    });
  }

  async function round(): Promise<void> {
    try {
      for (const order of await takeTransfers(db, inboundHolder)) {
        transfer(order).catch((error: unknown) =>
          logger.error({ err: error, ...idsOf(order) }, 'the result of a transfer could not be stored'),
        );
      }
      lookAt((await takeInboundLegs(db, atOnce)).filter(({ callId }) => !looks.has(callId)));
    } catch (error) {
      logger.warn({ err: error }, 'inbound calls could not be read from the database; trying again');
    }
  }

  // What is asked for during a round waits for the next one.
  function wake(): void {
    if (!stopped) underWay ??= round().finally(() => (underWay = null));
  }

  const stopListening = listen(pool, { outdial_hang_up: wake, outdial_transfer: wake }, logger);
  const timer = setInterval(wake, timing.everyMs);
  return async () => {
    stopped = true;
    clearInterval(timer);
    await stopListening();
    await underWay;
    await Promise.allSettled(looks.values());
  };
}

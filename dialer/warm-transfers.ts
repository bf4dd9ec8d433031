import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../db/client.js';
import {
  freeTransferLine,
  gateTransfer,
  giveBackHeldTransfer,
  heldTransfers,
  type HeldTransfer,
  noteHeld,
  noteTargetAnswered,
  noteTargetLeft,
  paceTransfer,
  settleLostWarmTransfers,
  settleWarmTransfer,
  takeInboundTransfers,
  targetsToHangUp,
  wantedTransfers,
  type WarmTransfer,
} from '../db/queries/dialer/warm-transfers.js';
import {
  consultationSeconds,
  targetIdentity,
  targetRingSeconds,
  targetRoom,
  warmTargetNumber,
} from '../domain/call/warm-transfer.js';
import { isNumberAllowed } from '../domain/phone/allowed-number.js';
import { Failure } from '../domain/errors.js';
import type { Logger } from '../platform/logger.js';
import {
  AnswerLost,
  type AttemptRef,
  ProviderUnreachable,
  type CallProvider,
  type TargetOrder,
} from '../telephony/provider.js';
import { elapsedMs, now } from './moment.js';
import { orderFor, type OpenSecret } from './order.js';
import { createSeparately } from './separately.js';

export interface WarmTransfers {
  /** Takes the next step of each warm transfer of this process's legs, and of calls that came in; does not wait for the provider. */
  take(): Promise<void>;
  /** Settles those that nobody else will, and hangs up targets that are left over. */
  sweep(): Promise<void>;
  /** Sends no INVITE and stores no answer any more: the next dialer settles transfers that are under way. */
  abandon(): void;
}

/**
 * How late after its slot an INVITE may leave: as long as the questions in between took lately. No longer than the gate's answer
 * may be old.
 */
const leastPatienceMs = 250;
const mostPatienceMs = 2_000;
/** An INVITE that was asked for so long ago has been answered, or LiveKit has given it up. */
const onItsWaySeconds = 60;

const limits = {
  wantedSeconds: 20,
  heldSeconds: 60,
  callingSeconds: targetRingSeconds + consultationSeconds + 60,
  graceSeconds: 10,
};

const words = {
  line: 'every line of the gateway is taken',
  suspended: 'the gateway is suspended',
};

/** The leg that is handed over, with its region if it came in. */
const legRef = ({
  callId,
  attempt,
  invite,
  gatewayId,
  room,
  inboundRegion,
}: WarmTransfer | HeldTransfer): AttemptRef => ({
  ...{ callId, attempt, invite, gatewayId, room },
  ...(inboundRegion === null ? {} : { inboundRegion }),
});

/**
 * Warm transfers of the legs of this process (ADR 54). No process holds a call that came in: the transfer itself is taken by one,
 * under its lease (ADR 57).
 *
 * ```
 * wanted ── the agent has put the callee on hold ──▶ held ── line, slot and gate ──▶ calling ──▶ transferred or failed
 * ```
 *
 * The target's telephone is called once: `calling` is committed before the INVITE, and what is `calling` is never called again,
 * whichever process died. With agents the one of the call decides how a transfer goes that was answered; the dialer tells what
 * the carrier says, and hangs the target up when the call or the transfer is over.
 */
export function createWarmTransfers(deps: {
  readonly db: Db;
  readonly processId: () => string;
  readonly provider: CallProvider;
  readonly openSecret: OpenSecret;
  readonly logger: Logger;
}): WarmTransfers {
  const { db, provider, logger } = deps;
  const steps = createSeparately();
  let abandoned = false;
  let patienceMs = leastPatienceMs;

  const isAbandoned = (): boolean => abandoned;
  const fail = async (id: string, message: string): Promise<void> => {
    await settleWarmTransfer(db, id, { transferred: false, message });
  };

  async function sendInvite(transfer: HeldTransfer, order: TargetOrder, giveBack: () => Promise<void>): Promise<void> {
    const { id, callId } = transfer;
    try {
      const result = await provider.callTarget(order);
      if (isAbandoned()) return;
      if (result === 'answered') {
        await noteTargetAnswered(db, id, new Date());
        return;
      }
      if (result.answeredAt !== undefined) await noteTargetAnswered(db, id, result.answeredAt);
      if (result.leftAt !== undefined) await noteTargetLeft(db, transfer, id, result.leftAt);
      await settleWarmTransfer(db, id, result);
    } catch (error) {
      if (isAbandoned()) return;
      logger.warn({ err: error, callId }, 'the call to a transfer target was not answered by the provider');
      if (error instanceof ProviderUnreachable) return giveBack();
      // The INVITE may have gone out: the agent sees whether the target is there.
      if (error instanceof AnswerLost) return;
      await fail(id, 'the target could not be called');
    }
  }

  async function call(transfer: HeldTransfer): Promise<void> {
    const { id } = transfer;
    const to = warmTargetNumber(transfer.transferTo);
    if (to === null) return fail(id, 'only a number can be called');
    if (!isNumberAllowed(transfer.gatewayAllowedNumbers, to)) {
      return fail(id, 'the gateway does not call this number');
    }
    const { gateway: own, maxCallSeconds, headers, hidePhoneNumber } = orderFor(transfer, deps.openSecret);
    // The agent speaks with the target in the LiveKit that the caller is in.
    const gateway = transfer.inboundRegion === null ? own : { ...own, region: transfer.inboundRegion };
    const order: TargetOrder = {
      leg: legRef(transfer),
      transferId: id,
      room: targetRoom(transfer, id),
      identity: targetIdentity(id),
      ...{ to, from: transfer.fromNumber, gateway, maxCallSeconds, headers, hidePhoneNumber },
      ringTimeoutSeconds: Math.min(targetRingSeconds, transfer.ringTimeoutSeconds),
    };
    await provider.prepareTarget(order);
    const asked = now();
    const lateAfterMs = patienceMs;
    const turn = await paceTransfer(db, id, transfer.gatewayId, lateAfterMs);
    if (turn === null) return;
    if ('wait' in turn) {
      if (turn.wait !== 'slot') await fail(id, words[turn.wait]);
      return;
    }
    if (turn.dialInMs > 0) await pause(turn.dialInMs);
    if (isAbandoned()) return;
    const processId = deps.processId();
    const giveBack = (): Promise<void> => giveBackHeldTransfer(db, processId, id);
    try {
      if (!(await gateTransfer(db, processId, transfer))) return;
    } catch (error) {
      if (error instanceof Failure) return fail(id, error.message);
      // It may have been committed all the same, and nothing was sent.
      await giveBack();
      throw error;
    }
    // Of a machine that stood still the gate's answer is old, too: what has forbidden the transfer since would not be seen.
    const tookMs = elapsedMs(asked) - turn.dialInMs;
    patienceMs = Math.min(mostPatienceMs, Math.max(leastPatienceMs, tookMs * 1.5));
    if (isAbandoned() || tookMs > lateAfterMs) return giveBack();
    await sendInvite(transfer, order, giveBack);
  }

  async function askToHold(transfer: WarmTransfer): Promise<void> {
    if ((await provider.askToHold(legRef(transfer))) && (await noteHeld(db, transfer.id))) await callHeld();
  }

  async function hangUpTarget(transfer: WarmTransfer): Promise<void> {
    const { id } = transfer;
    await provider.hangUpTarget({ leg: legRef(transfer), transferId: id, room: targetRoom(transfer, id) });
    await noteTargetLeft(db, transfer, id);
    await freeTransferLine(db, id, onItsWaySeconds);
  }

  const begin = <T extends WarmTransfer | HeldTransfer>(
    step: string,
    work: (transfer: T) => Promise<void>,
    transfer: T,
    failed: (about: object) => void,
  ): void =>
    steps.begin(`${step} ${transfer.id}`, () =>
      work(transfer).catch((error: unknown) => failed({ err: error, callId: transfer.callId })),
    );

  async function callHeld(): Promise<void> {
    if (isAbandoned()) return;
    for (const transfer of await heldTransfers(db, deps.processId())) {
      begin('call', call, transfer, (about) => logger.error(about, 'a transfer target could not be called'));
    }
  }

  return {
    async take() {
      await takeInboundTransfers(db, deps.processId());
      for (const transfer of await wantedTransfers(db, deps.processId())) {
        begin('hold', askToHold, transfer, (about) =>
          logger.warn(about, 'the agent could not be asked to hold a call; asking again'),
        );
      }
      await callHeld();
    },
    async sweep() {
      await settleLostWarmTransfers(db, limits);
      for (const transfer of await targetsToHangUp(db)) {
        begin('hang up', hangUpTarget, transfer, (about) =>
          logger.warn(about, 'a transfer target could not be hung up; trying again'),
        );
      }
    },
    abandon() {
      abandoned = true;
    },
  };
}

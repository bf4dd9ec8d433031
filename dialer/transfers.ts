import type { Db } from '../db/client.js';
import {
  giveBackTransfer,
  settleLostTransfers,
  settleTransfer,
  takeTransfers,
  type TransferOrder,
} from '../db/queries/dialer/transfers.js';
import type { Logger } from '../platform/logger.js';
import { idsOfInvite } from './log-ids.js';
import { AnswerLost, ProviderUnreachable, type CallProvider } from '../telephony/provider.js';

export interface Transfers {
  /** Sends the transfers requested since the last round to the carrier; does not wait for its answers. */
  take(): Promise<void>;
  /** Settles the transfers that a dialer that died left without an answer. */
  sweep(): Promise<void>;
  /** Stops storing answers: the next dialer settles transfers that are under way. */
  abandon(): void;
}

/** A leg's end and the answer to its REFER come within this of each other. */
const graceSeconds = 10;
/** Longer than any carrier lets a transfer target ring. */
const unknownAfterSeconds = 120;

/**
 * Transfers of the legs of this process. A transfer is requested → sent → transferred or failed, each step committed
 * before what follows from it; one that is `sent` is never sent again, whichever process died.
 */
export function createTransfers(deps: {
  readonly db: Db;
  readonly processId: () => string;
  readonly provider: CallProvider;
  readonly logger: Logger;
}): Transfers {
  const { db, provider, logger } = deps;
  let abandoned = false;

  async function transfer(order: TransferOrder): Promise<void> {
    const { id, callId, attempt, invite, gatewayId, room, to } = order;
    const ref = { callId, attempt, invite, gatewayId, room };
    try {
      const result = await provider.transfer(ref, to);
      if (!abandoned) await settleTransfer(db, id, result);
    } catch (error) {
      if (abandoned) return;
      logger.warn({ err: error, ...idsOfInvite(order) }, 'the carrier did not answer a transfer');
      if (error instanceof ProviderUnreachable) return giveBackTransfer(db, id);
      // The REFER may have gone out: the end of the leg tells whether it did.
      if (error instanceof AnswerLost) return;
      return settleTransfer(db, id, { transferred: false, message: 'the carrier could not be asked' });
    }
  }

  return {
    async take() {
      for (const order of await takeTransfers(db, deps.processId())) {
        transfer(order).catch((error: unknown) =>
          logger.error({ err: error, ...idsOfInvite(order) }, 'the result of a transfer could not be stored'),
        );
      }
    },
    sweep: () => settleLostTransfers(db, graceSeconds, unknownAfterSeconds),
    abandon() {
      abandoned = true;
    },
  };
}

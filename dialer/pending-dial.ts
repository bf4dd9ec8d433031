import type { ClaimedAttempt } from '../db/queries/dialer/claim-attempts.js';
import type { DialOrder } from '../telephony/provider.js';
import type { DialPermit } from './eligibility.js';

/** A claimed attempt on its way to its INVITE. */
export interface PendingDial {
  readonly attempt: ClaimedAttempt;
  readonly order: DialOrder;
  /** The permit by which it goes on; the gate compares whether it still holds. */
  readonly permit: DialPermit;
  /** Its slot on the monotonic clock, once it has one. */
  dialAtMs: number;
  /** How late after its slot its INVITE may leave. */
  patienceMs: number;
}

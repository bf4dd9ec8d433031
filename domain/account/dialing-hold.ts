import type { DialingHold } from '../batch/pause-reasons.js';

/** What is read of an account and the service to tell. */
export interface DialingState {
  readonly suspendedAt: Date | null;
  readonly serviceStoppedAt: Date | null;
  readonly dialingStoppedAt: Date | null;
}

/** Why nothing of an account is dialed at all; the strongest reason if there are several. */
export function dialingHold({ suspendedAt, serviceStoppedAt, dialingStoppedAt }: DialingState): DialingHold | null {
  if (suspendedAt !== null) return 'account_suspended';
  if (serviceStoppedAt !== null) return 'service_stopped';
  return dialingStoppedAt === null ? null : 'dialing_stopped';
}

/** What a refusal says, and what it takes to dial again. */
export const dialingHoldWords: Readonly<Record<DialingHold, string>> = {
  account_suspended: 'The account is suspended by the operator of this service.',
  service_stopped: 'The operator of this service has stopped all dialing.',
  dialing_stopped: 'All dialing of the account is stopped. Resume it with POST /v1/account/resume-dialing.',
};

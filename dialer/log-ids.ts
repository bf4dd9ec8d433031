import type { AttemptKey, InviteKey } from '../domain/call/attempt-key.js';

/** An attempt as far as the code that writes a line about it knows it. */
export interface LoggedAttempt extends AttemptKey {
  readonly accountId?: string;
  readonly batchId?: string | null;
  readonly gatewayId?: string;
}

/** A line about more says how many there are. */
const mostNamed = 20;

/** The ids of a line about one attempt, and nothing else of it. */
export const idsOf = ({ accountId, batchId, callId, attempt, gatewayId }: LoggedAttempt): LoggedAttempt => ({
  ...(accountId === undefined ? {} : { accountId }),
  ...(batchId === undefined || batchId === null ? {} : { batchId }),
  ...{ callId, attempt },
  ...(gatewayId === undefined ? {} : { gatewayId }),
});

/** The same with the INVITE that the line is about. */
export const idsOfInvite = (leg: LoggedAttempt & InviteKey): LoggedAttempt & InviteKey => ({
  ...idsOf(leg),
  ...{ callId: leg.callId, attempt: leg.attempt, invite: leg.invite },
});

/** The ids of a line about several attempts: how many, the first of them, and their batches. */
export function idsOfSeveral(attempts: readonly LoggedAttempt[]): {
  readonly calls: number;
  readonly batchIds?: readonly string[];
  readonly attempts: readonly LoggedAttempt[];
} {
  const batchIds = [...new Set(attempts.flatMap(({ batchId }) => batchId ?? []))];
  return {
    calls: attempts.length,
    ...(batchIds.length === 0 ? {} : { batchIds: batchIds.slice(0, mostNamed) }),
    attempts: attempts.slice(0, mostNamed).map(idsOf),
  };
}

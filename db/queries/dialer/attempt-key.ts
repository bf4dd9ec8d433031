/** Names an attempt: the key of `call_attempts`. */
export interface AttemptKey {
  readonly callId: string;
  readonly number: number;
}

/** One INVITE of an attempt: events and results are about it. */
export interface InviteKey extends AttemptKey {
  readonly invite: number;
}

/**
 * An attempt under one claim. Each claim, and each takeover of a leg, has an id of its own (db/migrations/0013). A statement
 * that names a claim changes nothing once the attempt has changed hands.
 */
export interface ClaimKey extends AttemptKey {
  readonly claimId: string;
}

/** One INVITE and the claim under which its leg is followed. */
export interface ClaimedInvite extends ClaimKey, InviteKey {}

export const keyText = ({ callId, number }: AttemptKey): string => `${callId}/${number}`;

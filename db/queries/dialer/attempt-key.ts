/** Names an attempt: the key of `call_attempts`. */
export interface AttemptKey {
  readonly callId: string;
  readonly number: number;
}

/** An attempt at one of its passings of the gate: what events and results are about. */
export interface InviteKey extends AttemptKey {
  readonly invite: number;
}

/**
 * An attempt under one claim. Each claim, and each taking over of a leg, has an id of its own (db/migrations/0013): who
 * names it changes nothing once the attempt has changed hands.
 */
export interface ClaimKey extends AttemptKey {
  readonly claimId: string;
}

/** One INVITE, and under which claim its leg is followed. */
export interface ClaimedInvite extends ClaimKey, InviteKey {}

export const keyText = ({ callId, number }: AttemptKey): string => `${callId}/${number}`;

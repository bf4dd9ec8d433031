import type { AttemptKey, InviteKey } from '../../../domain/call/attempt-key.js';

/**
 * An attempt under one claim. Each claim, and each takeover of a leg, has an id of its own (db/migrations/0013). A statement
 * that names a claim changes nothing once the attempt has changed hands.
 */
export interface ClaimKey extends AttemptKey {
  readonly claimId: string;
}

/** One INVITE and the claim under which its leg is followed. */
export interface ClaimedInvite extends ClaimKey, InviteKey {}

import type { InviteKey } from './attempt-key.js';

/** Identity of the callee's participant in the room: tells whose leg it is wherever the provider names it. */
export const calleeIdentity = ({ callId, attempt, invite }: InviteKey): string =>
  `callee_${callId}_${attempt}_${invite}`;

const shape = /^callee_(.+)_([1-9]\d{0,4})_([1-9]\d{0,4})$/;

/** The INVITE that an identity names; null if this service has not dialed the participant. */
export function readCalleeIdentity(identity: string): InviteKey | null {
  const [, callId, attempt, invite] = shape.exec(identity) ?? [];
  return callId === undefined ? null : { callId, attempt: Number(attempt), invite: Number(invite) };
}

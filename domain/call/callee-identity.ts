/** Names one INVITE of a call for ever. */
export interface InviteRef {
  /** `calls.id`: the bare UUID. */
  readonly callId: string;
  /** 1 for the call's first attempt. */
  readonly attempt: number;
  /** Which passing of the gate it is for that attempt; 1 or more. */
  readonly invite: number;
}

/** Identity of the callee's participant in the room: tells whose leg it is wherever the provider names it. */
export const calleeIdentity = ({ callId, attempt, invite }: InviteRef): string =>
  `callee_${callId}_${attempt}_${invite}`;

const shape = /^callee_(.+)_([1-9]\d{0,4})_([1-9]\d{0,4})$/;

/** The INVITE that an identity names; null if this service has not dialed the participant. */
export function readCalleeIdentity(identity: string): InviteRef | null {
  const [, callId, attempt, invite] = shape.exec(identity) ?? [];
  return callId === undefined ? null : { callId, attempt: Number(attempt), invite: Number(invite) };
}

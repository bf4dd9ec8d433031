/** Names an attempt: one try to reach the callee of a call. */
export interface AttemptKey {
  /** `calls.id`: the bare UUID. */
  readonly callId: string;
  /** 1 for the first attempt of the call. Its column is `call_attempts.number`. */
  readonly attempt: number;
}

/** Names one INVITE of an attempt for ever: events and results are about it. */
export interface InviteKey extends AttemptKey {
  /** Which passing of the gate it is for that attempt; 1 or more. */
  readonly invite: number;
}

export const attemptText = ({ callId, attempt }: AttemptKey): string => `${callId}/${attempt}`;

export const inviteText = (key: InviteKey): string => `${attemptText(key)}/${key.invite}`;

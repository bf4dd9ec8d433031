/** Names an attempt: the key of `call_attempts`. */
export interface AttemptKey {
  readonly callId: string;
  readonly number: number;
}

/** An attempt at one of its passings of the gate: what events and results are about. */
export interface InviteKey extends AttemptKey {
  readonly invite: number;
}

export const keyText = ({ callId, number }: AttemptKey): string => `${callId}/${number}`;

/** Attributes of a callee's participant in a LiveKit room that give the state of its leg. */
export const legAttributes = {
  /** LiveKit SIP's own: `dialing`, `ringing`, `active`, `automation` or `hangup`. */
  callStatus: 'sip.callStatus',
  /** Ours: `yes` from before a REFER is sent until it has failed, so that the end of the leg tells that it was one. */
  transferring: 'outdial.transferring',
} as const;

/**
 * How a leg's participant left its room, as a verified LiveKit webhook tells it. A hint only: webhooks may be lost, and a
 * participant that left because LiveKit was restarted comes back. Whether the leg is over, the list of participants decides.
 */
export interface Disconnect {
  /** When LiveKit says that it left, to the second. */
  readonly at: Date;
  /** Last `sip.callStatus`; empty if it had none. */
  readonly callStatus: string;
  /** LiveKit's `DisconnectReason` by number. */
  readonly disconnectReason: number;
  readonly transferring: boolean;
}

/** Reads a participant that has left. */
export const disconnectOf = (
  attributes: Readonly<Record<string, string>>,
  disconnectReason: number,
  at: Date,
): Disconnect => ({
  at,
  callStatus: attributes[legAttributes.callStatus] ?? '',
  disconnectReason,
  transferring: attributes[legAttributes.transferring] === 'yes',
});

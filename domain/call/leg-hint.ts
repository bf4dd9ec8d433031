/** Attributes of a callee's participant in a LiveKit room that say how its leg stands. */
export const legAttributes = {
  /** LiveKit SIP's own: `dialing`, `ringing`, `active`, `automation` or `hangup`. */
  callStatus: 'sip.callStatus',
  /** Ours: `yes` from before a REFER is sent until it has failed, so that the end of the leg tells that it was one. */
  transferring: 'outdial.transferring',
} as const;

/**
 * The last words about a leg whose participant has left its room, as a verified LiveKit webhook told them. A hint: webhooks
 * may be lost, and a participant that left while LiveKit itself was restarted comes again. The list of participants is the
 * truth about whether the leg is over; this tells how.
 */
export interface LegHint {
  /** When LiveKit says that it left, to the second. */
  readonly at: Date;
  /** Last `sip.callStatus`; empty where it had none. */
  readonly callStatus: string;
  /** LiveKit's `DisconnectReason` by number. */
  readonly disconnectReason: number;
  readonly transferring: boolean;
}

/** Reads a participant that has left. */
export const legHintOf = (
  attributes: Readonly<Record<string, string>>,
  disconnectReason: number,
  at: Date,
): LegHint => ({
  at,
  callStatus: attributes[legAttributes.callStatus] ?? '',
  disconnectReason,
  transferring: attributes[legAttributes.transferring] === 'yes',
});

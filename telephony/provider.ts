import type { InviteKey } from '../domain/call/attempt-key.js';
import type { AnsweredBy } from '../domain/call/call.js';
import type { LegFact } from '../domain/call/disposition.js';
import type { EndReason } from '../domain/call/end-reasons.js';
import type { UnsentReason } from '../domain/call/unsent.js';
import type { TrunkAnswer, TrunkEnd } from '../domain/phone/trunk-end.js';

/** Names one INVITE and where it went: what the provider is asked about after a crash. */
export interface AttemptRef extends InviteKey {
  readonly gatewayId: string;
  /** Room the callee is put in; ends in `_<attempt>_<invite>` unless the rule's room is static. */
  readonly room: string;
  /** Region of OUTDIAL_REGIONS whose LiveKit took the call, if it came in; omitted: it was dialed. */
  readonly inboundRegion?: string;
}

/** Everything that placing one INVITE needs. */
export interface DialOrder extends AttemptRef {
  readonly to: string;
  readonly from: string;
  readonly gateway: TrunkEnd;
  /** Identity of the callee's participant in the room. */
  readonly identity: string;
  /** The callee in the caller's own words: a name to show in the room, and an id for its attributes. */
  readonly participant?: { readonly id?: string; readonly name?: string };
  readonly ringTimeoutSeconds: number;
  readonly maxCallSeconds: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Which headers of the carrier's answers the participant's attributes show; omitted: none. */
  readonly includeHeaders?: 'NONE' | 'SIP_X_HEADERS' | 'ALL';
  readonly hidePhoneNumber: boolean;
  readonly dtmf: boolean;
  readonly record: boolean;
  /** What the agent says before its greeting; omitted: nothing. */
  readonly disclosure?: string;
}

/** Progress of a leg before it ends. `at` is when the provider saw it. */
export type CallEvent =
  | { readonly type: 'ringing'; readonly at: Date }
  | { readonly type: 'answered'; readonly at: Date; readonly answeredBy: AnsweredBy };

export interface TranscriptLine {
  readonly speaker: 'agent' | 'callee';
  readonly text: string;
  readonly at: string;
}

/** How a leg ended, with what was seen of the conversation; domain/call/disposition.ts says what it means. */
export interface AttemptResult extends LegFact {
  readonly at: Date;
  readonly answeredAt?: Date;
  readonly answeredBy?: AnsweredBy;
  readonly transcript?: readonly TranscriptLine[];
  /** The callee asked to be called at this time. Drivers whose agent stores it itself leave it out. */
  readonly callbackAt?: Date;
}

/** The carrier's answer to a transfer. */
export interface TransferResult {
  /** True if the transfer target has taken the call. */
  readonly transferred: boolean;
  /** Final status that the carrier reported of the target, e.g. 486; omitted if it reported none. */
  readonly sipStatusCode?: number;
  /** Words for a person. */
  readonly message: string;
}

/** How a warm transfer went whose target the provider itself speaks with, and when that was on the telephone. */
export interface TargetResult extends TransferResult {
  /** When it was picked up; omitted: it was not. */
  readonly answeredAt?: Date;
  /** When it was hung up; omitted: the target has taken the call. */
  readonly leftAt?: Date;
}

/** Names the target of a warm transfer and the leg that is to be handed over to it. */
export interface TargetRef {
  readonly leg: AttemptRef;
  readonly transferId: string;
  /** Where the agent speaks with the target; another one than the callee's. */
  readonly room: string;
}

/** Everything that the one INVITE to a target needs. */
export interface TargetOrder
  extends TargetRef, Pick<DialOrder, 'to' | 'from' | 'gateway' | 'identity' | 'headers' | 'hidePhoneNumber'> {
  readonly ringTimeoutSeconds: number;
  readonly maxCallSeconds: number;
}

/**
 * What `reconcile` found out about an INVITE whose dialer died.
 *
 * - `live`: the leg exists: `follow` it.
 * - `fenced`: it was never placed, and the provider promises to refuse this reference from now on: safe to dial again.
 * - `absent`: not there, and nothing known of how it ended: must not be dialed again.
 * - a result: it is over, this is how.
 */
export type Reconciliation = 'live' | 'fenced' | 'absent' | AttemptResult;

/**
 * The port through which the dialer reaches the telephone network. Drivers keep no state that a restart would need.
 * One conformance suite (test/integration/call-provider-conformance.ts) runs against every driver.
 *
 * Every method rejects with `ProviderUnreachable` if the provider cannot be asked at all.
 */
export interface CallProvider {
  /** True for drivers that reach no telephone network. Everything they produce is marked as simulated. */
  readonly simulated: boolean;
  /** Makes ready what the call needs (room, agent slot). Sends nothing to the carrier. Idempotent. */
  prepare(order: DialOrder): Promise<void>;
  /**
   * Sends the INVITE at once (nothing is awaited but what the HTTP client needs to write) and resolves when the leg is
   * over. Resolves with a result, also for a refusal. If the provider's answer is lost on the way, it rejects with
   * `AnswerLost`: reconcile.
   */
  dial(order: DialOrder, on: (event: CallEvent) => void): Promise<AttemptResult>;
  /** Sends CANCEL or BYE. Idempotent; resolves also if the leg is gone. */
  hangUp(ref: AttemptRef, reason: EndReason): Promise<void>;
  /**
   * Cold transfer: sends a REFER for an answered leg and resolves when the carrier has said how it went. If it was
   * transferred, the leg then ends by itself, `how: 'ended'` with the reason `transferred`; otherwise it goes on as it
   * was. Not idempotent: every call sends a REFER. A leg that is not answered, or gone, resolves as not transferred.
   * Rejects with `AnswerLost` if the REFER may have gone out and its result is unknown.
   *
   * @param to E.164 with the +, or a `sip:`, `sips:` or `tel:` URI
   */
  transfer(ref: AttemptRef, to: string): Promise<TransferResult>;
  /**
   * Asks the agent of an answered leg to put the callee on hold for a warm transfer. Idempotent.
   *
   * @returns true if the callee is on hold; false if an agent was asked, who then notes it itself
   */
  askToHold(ref: AttemptRef): Promise<boolean>;
  /** Makes ready what the call to a target needs. Sends nothing to the carrier. Idempotent. */
  prepareTarget(order: TargetOrder): Promise<void>;
  /**
   * Sends the INVITE to the target of a warm transfer at once. Resolves with how the transfer went, or with `answered` when the
   * telephone was picked up and the agent of the call speaks with the target: then that agent decides. Not idempotent.
   * Rejects as `dial` does.
   */
  callTarget(order: TargetOrder): Promise<TargetResult | 'answered'>;
  /** Ends the leg of a target: CANCEL or BYE. Idempotent; resolves also if there is none. */
  hangUpTarget(ref: TargetRef): Promise<void>;
  reconcile(ref: AttemptRef): Promise<Reconciliation>;
  /** Takes over a live leg after a restart; events already past may come again. Rejects with `AnswerLost` as dial does. */
  follow(ref: AttemptRef, on: (event: CallEvent) => void): Promise<AttemptResult>;
  /**
   * Stops watching a leg that another dialer follows from now on: it goes on, nothing more is done for it here, and its
   * `dial` or `follow` rejects. Nothing happens if it is not watched.
   */
  letGo(ref: AttemptRef): void;
  /** SIP OPTIONS to the gateway, or a message that says why that cannot be done. */
  checkGateway(gateway: TrunkEnd): Promise<TrunkAnswer>;
  close(): Promise<void>;
}

/** The provider could not be reached and nothing was sent. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable';

  /** Why other calls of the gateway are likely to meet the same; null: they are not. */
  readonly unsent: UnsentReason | null;

  constructor(
    message: string,
    { unsent = 'provider_unreachable', ...options }: ErrorOptions & { readonly unsent?: UnsentReason | null } = {},
  ) {
    super(message, options);
    this.unsent = unsent;
  }
}

/** The connection broke after the order was sent: whether the INVITE went out is unknown. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
}

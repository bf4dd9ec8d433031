import type { TransferResult } from './provider.js';

/** The room and identity of a caller's participant. */
export interface InboundLegRef {
  /** Region of OUTDIAL_REGIONS whose LiveKit took the call. */
  readonly region: string;
  readonly room: string;
  readonly identity: string;
}

/** A caller who is in the room. */
export interface FoundCaller {
  readonly attributes: Readonly<Record<string, string>>;
  /** Whether an agent of the rule is there as well. */
  readonly hasAgent: boolean;
}

/** The legs of inbound calls. Every method rejects with `ProviderUnreachable` if LiveKit could not be asked. */
export interface InboundLegs {
  /** Null if the caller is not in the room. @param agentRule the rule whose agent is looked for; null: none is */
  find(leg: InboundLegRef & { readonly agentRule: string | null }): Promise<FoundCaller | null>;
  /** Sends another agent, in the place of one that is gone. Not idempotent. */
  sendAgent(leg: InboundLegRef, ruleId: string): Promise<void>;
  /** Ends the leg; one that is over already is fine. */
  hangUp(leg: InboundLegRef): Promise<void>;
  /** Sends a REFER. @throws AnswerLost if it may have gone out */
  transfer(leg: InboundLegRef, to: string): Promise<TransferResult>;
}

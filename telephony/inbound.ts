import type { TransferResult } from './provider.js';

/** Where the participant of a caller is. */
export interface InboundLegRef {
  /** Region of OUTDIAL_REGIONS whose LiveKit took the call. */
  readonly region: string;
  readonly room: string;
  readonly identity: string;
}

/** What can be asked about calls that came in. Every method rejects with `ProviderUnreachable` where nobody could be asked. */
export interface InboundLegs {
  /** Attributes of the caller's participant; null if nobody of that name is in the room. */
  find(leg: InboundLegRef): Promise<Readonly<Record<string, string>> | null>;
  /** Ends the leg; one that is over already is fine. */
  hangUp(leg: InboundLegRef): Promise<void>;
  /** Sends a REFER. @throws AnswerLost if it may have gone out */
  transfer(leg: InboundLegRef, to: string): Promise<TransferResult>;
}

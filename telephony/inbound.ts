import type { TransferResult } from './provider.js';

/** The room and identity of a caller's participant. */
export interface InboundLegRef {
  /** Region of OUTDIAL_REGIONS whose LiveKit took the call. */
  readonly region: string;
  readonly room: string;
  readonly identity: string;
}

/** The legs of inbound calls. Every method rejects with `ProviderUnreachable` if LiveKit could not be asked. */
export interface InboundLegs {
  /** Attributes of the caller's participant; null if it is not in the room. */
  find(leg: InboundLegRef): Promise<Readonly<Record<string, string>> | null>;
  /** Ends the leg; one that is over already is fine. */
  hangUp(leg: InboundLegRef): Promise<void>;
  /** Sends a REFER. @throws AnswerLost if it may have gone out */
  transfer(leg: InboundLegRef, to: string): Promise<TransferResult>;
}

/** An inbound number as the carrier's side must know it: everything that its gateway and its rule say of calls to it. */
export interface InboundLine {
  /** E.164; one line per number over all accounts. */
  readonly number: string;
  readonly gatewayId: string;
  readonly ruleId: string;
  /** As the gateway names it: a region of OUTDIAL_REGIONS, or `auto` for the first. */
  readonly region: string;
  /** Addresses and ranges that calls may come from; empty: anywhere, then there are credentials. */
  readonly allowedAddresses: readonly string[];
  /** Callers, E.164 or a beginning followed by `*`; empty: everyone. */
  readonly allowedNumbers: readonly string[];
  /** What the carrier has to present. Lives in memory only, never logged. */
  readonly auth?: { readonly username: string; readonly password: string };
  readonly mediaEncryption: 'enable' | 'disable';
  readonly maxCallSeconds: number;
  readonly headersToAttributes: Readonly<Record<string, string>>;
  readonly includeHeaders: 'NONE' | 'SIP_X_HEADERS' | 'ALL';
  readonly room: InboundRoom;
  readonly hidePhoneNumber: boolean;
  /** Whether an agent is sent to the room; else callers wait there until a participant joins. */
  readonly hasAgent: boolean;
}

/** Where callers are put: all in one room, or each in one whose name begins so. */
export type InboundRoom = { readonly pin: string } & (
  { readonly type: 'static'; readonly name: string } | { readonly type: 'dynamic'; readonly prefix: string }
);

/** Why calls to a number are not taken although it has an inbound rule. */
export type InboundObstacle =
  /** Neither credentials nor addresses say who may call: LiveKit would put everyone through who finds it. */
  | 'open_to_everyone'
  /** What the gateway and the rule allow has no address in common. */
  | 'no_address_in_common'
  /** What the gateway and the rule allow has no caller in common. */
  | 'no_caller_in_common';

/** Attributes that a caller's participant is given by the dispatch rule: whose call it is. */
export const inboundAttributes = {
  rule: 'outdial.ruleId',
  number: 'outdial.number',
} as const;

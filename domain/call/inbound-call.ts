import { inboundAttributes } from './inbound-line.js';
import { legAttributes } from './disconnect.js';

/** An inbound leg as its participant's attributes describe it, for agent worker, webhook and keeper alike. */
export interface InboundLegSeen {
  readonly ruleId: string;
  /** The number that was called, E.164. */
  readonly number: string;
  /** Who calls: E.164 if the carrier says so, else its own words; null if it is hidden. */
  readonly caller: string | null;
  /** Host of the From header, which a caller may write as they like; empty if the rule hides callers. */
  readonly callerHost: string;
  /** The carrier's SIP Call-ID. */
  readonly sipCallId: string;
  readonly callStatus: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Shown in place of a hidden caller. */
export const hiddenCaller = 'anonymous';

const longestText = 256;

/** Carriers send numbers with and without the plus. */
const callerOf = (text: string): string => (/^[1-9]\d{6,14}$/.test(text) ? `+${text}` : text.slice(0, longestText));

/** Reads a caller's participant; null if it is not one of an inbound number of ours. */
export function readInboundLeg(attributes: Readonly<Record<string, string>>): InboundLegSeen | null {
  const { [inboundAttributes.rule]: ruleId = '', [inboundAttributes.number]: number = '' } = attributes;
  const sipCallId = attributes['sip.callIDFull'] ?? attributes['sip.callID'] ?? '';
  if (ruleId === '' || number === '' || sipCallId === '') return null;
  const caller = attributes['sip.phoneNumber'] ?? '';
  return {
    ruleId,
    number,
    caller: caller === '' ? null : callerOf(caller),
    callerHost: attributes['sip.hostname'] ?? '',
    sipCallId: sipCallId.slice(0, longestText),
    callStatus: attributes[legAttributes.callStatus] ?? '',
    attributes,
  };
}

/**
 * Whether the caller claims to be one of the ranges of addresses that may call. LiveKit lets a call through whose From header
 * has the very text of an allowed range for its host; no host is written so, and a trunk of ours has ranges only.
 */
export const claimsRange = ({ callerHost }: Pick<InboundLegSeen, 'callerHost'>): boolean => callerHost.includes('/');

/** Whether the leg was talking. LiveKit says `hangup` of every leg that is over, so that it proves nothing. */
export const isAnsweredStatus = (callStatus: string): boolean => callStatus === 'active' || callStatus === 'automation';

/** Beginning of the attributes that LiveKit makes of SIP headers if a rule includes them. */
const headerPrefix = 'sip.h.';

/** What the caller's SIP headers say that the rule lets through: the call's metadata. */
export const metadataOf = (
  attributes: Readonly<Record<string, string>>,
  headersToAttributes: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const wanted = new Set(Object.values(headersToAttributes));
  return Object.fromEntries(
    Object.entries(attributes).filter(([name]) => name.startsWith(headerPrefix) || wanted.has(name)),
  );
};

/** Attributes that say what a call is: no header of a caller's may stand in their place. */
const reserved = /^(?:sip|outdial|lk)\./i;

/** What a rule may have LiveKit make of headers. */
export const allowedHeaderAttributes = (headersToAttributes: unknown): Readonly<Record<string, string>> =>
  typeof headersToAttributes === 'object' && headersToAttributes !== null
    ? Object.fromEntries(
        Object.entries(headersToAttributes).flatMap(([header, attribute]) =>
          typeof attribute === 'string' && !reserved.test(attribute) ? [[header, attribute]] : [],
        ),
      )
    : {};

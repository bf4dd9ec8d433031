import type { AttemptStatus } from './call.js';
import { meaningOf, type PhraseMeaning } from './carrier-phrases.js';
import { type EndReason, isPermanent } from './end-reasons.js';
import { silencesThatMeanTheGateway } from './gateway-health.js';
import type { UnsentReason } from './unsent.js';

/**
 * How a leg ended, in terms of what was seen on the wire.
 *
 * - `ended`: it was answered (200) and is over.
 * - `refused`: a final SIP response other than 200; without a code, an end whose code is lost, or a call that cannot be sent
 *   as it is.
 * - `declined`: the callee refused it, but which SIP response said so is lost with the process that dialed.
 * - `ring_timeout`: our own timer ended it; `rang` says whether a 18x had come.
 * - `cancelled`: we hung up before an answer.
 * - `no_response`: nothing at all came back from the carrier.
 * - `gateway_fault`: the trunk itself refused or broke (credentials, connection, TLS, DNS, codec).
 * - `agent_missing`: answered, but no agent took part.
 * - `not_sent`: nothing left this system, for certain (provider unreachable or at capacity, frozen process).
 * - `unknown`: the provider lost track of it; it may have been placed.
 */
export interface LegFact {
  readonly how:
    | 'ended'
    | 'refused'
    | 'declined'
    | 'ring_timeout'
    | 'cancelled'
    | 'no_response'
    | 'gateway_fault'
    | 'agent_missing'
    | 'not_sent'
    | 'unknown';
  /** Whether a 180 or 183 came. */
  readonly rang: boolean;
  readonly sipStatusCode?: number;
  readonly sipPhrase?: string;
  /** Why, if the leg itself says so and not only its SIP response. */
  readonly reason?: EndReason;
  /** What the provider says, for the operator: of a fault of the gateway, or of a call that was not sent. */
  readonly words?: string;
  /** Why the provider could not send it, if that is likely to hold for other calls of the gateway too. */
  readonly unsent?: UnsentReason;
}

/** What went before, as far as it decides. */
export interface DispositionContext {
  /** Passing of the gate that this INVITE was, 1 or more. */
  readonly invite: number;
  /** INVITEs of this attempt that the carrier had already not taken. */
  readonly freeTries: number;
  /** Seconds since the carrier first throttled this attempt, without suspensions of the gateway; 0 for the first time. */
  readonly throttledSeconds: number;
  /** INVITEs of the gateway, one after the other up to this one, that got no response at all; without this one. */
  readonly consecutiveSilences: number;
}

/** The attempt is over and consumed. */
interface Ended {
  readonly kind: 'ended';
  readonly status: AttemptStatus;
  /** Never dialed again, whatever the retry plan lists. */
  readonly permanent: boolean;
  readonly reason: EndReason;
}

/** The attempt goes back to the queue, not consumed; its next INVITE has the next `invite`. */
interface Requeue {
  readonly kind: 'requeue';
  readonly why: 'rate' | 'channels' | 'carrier_unavailable' | 'not_sent';
  /** 1, 2, 4, … 60 */
  readonly backoffSeconds: number;
  /** The attempt's `freeTries` from now on. */
  readonly freeTries: number;
}

/** The gateway's own fault: it counts towards suspending the gateway, and the attempt is not consumed. */
interface GatewayFault {
  readonly kind: 'gateway_fault';
  /** The carrier's or provider's words, for the operator. */
  readonly words: string;
}

export type Disposition = Ended | Requeue | GatewayFault;

/** Throttling answers after which an attempt ends. */
const throttledTriesLimit = 10;
/** Seconds of throttling after which an attempt ends, whatever the number of answers. */
const throttledSecondsLimit = 15 * 60;
/** Times that a carrier may be unavailable to one attempt for free. */
const unavailableTriesLimit = 2;

const longestBackoffSeconds = 60;

/** 1, 2, 4, … 60 seconds after the first, second, third … time. */
export const backoffSeconds = (timesBefore: number): number => Math.min(longestBackoffSeconds, 2 ** timesBefore);

type Verdict = (fact: LegFact, context: DispositionContext) => Disposition;

export interface OutcomeRow {
  readonly what: string;
  readonly when: (fact: LegFact, phrase: PhraseMeaning | null, context: DispositionContext) => boolean;
  readonly then: Verdict;
}

const ended =
  (status: AttemptStatus, reason: EndReason): Verdict =>
  () => ({ kind: 'ended', status, permanent: isPermanent(reason), reason });

/** The leg says itself why it ended. */
const endedAsTold =
  (status: AttemptStatus, otherwise: EndReason): Verdict =>
  ({ reason = otherwise }) => ({ kind: 'ended', status, permanent: false, reason });

const failedWithCode: Verdict = (fact) => ({
  kind: 'ended',
  status: 'failed',
  permanent: false,
  reason: fact.sipStatusCode === undefined ? (fact.reason ?? 'refused') : `sip_${fact.sipStatusCode}`,
});

const gatewayFault: Verdict = ({ sipStatusCode, sipPhrase, words }) => ({
  kind: 'gateway_fault',
  words: [sipStatusCode, sipPhrase ?? words ?? 'no reason given'].filter((word) => word !== undefined).join(' '),
});

const silenceOfGateway: Verdict = () => ({
  kind: 'gateway_fault',
  words: `no response to ${silencesThatMeanTheGateway} or more calls in a row`,
});

const throttled =
  (why: 'rate' | 'channels'): Verdict =>
  (_fact, { freeTries, throttledSeconds }) =>
    freeTries + 1 >= throttledTriesLimit || throttledSeconds >= throttledSecondsLimit
      ? { kind: 'ended', status: 'failed', permanent: false, reason: 'carrier_throttled' }
      : { kind: 'requeue', why, backoffSeconds: backoffSeconds(freeTries), freeTries: freeTries + 1 };

const unavailable: Verdict = (_fact, { freeTries }) =>
  freeTries >= unavailableTriesLimit
    ? { kind: 'ended', status: 'failed', permanent: false, reason: 'carrier_unavailable' }
    : {
        kind: 'requeue',
        why: 'carrier_unavailable',
        backoffSeconds: backoffSeconds(freeTries),
        freeTries: freeTries + 1,
      };

/** Nothing reached the carrier, so it costs no free try; the backoff grows with the passings of the gate. */
const notSent: Verdict = (_fact, { invite, freeTries }) => ({
  kind: 'requeue',
  why: 'not_sent',
  backoffSeconds: backoffSeconds(invite - 1),
  freeTries,
});

const code =
  (...codes: readonly number[]) =>
  ({ how, sipStatusCode }: LegFact): boolean =>
    how === 'refused' && sipStatusCode !== undefined && codes.includes(sipStatusCode);
const rangWith =
  (...codes: readonly number[]) =>
  (fact: LegFact): boolean =>
    fact.rang && code(...codes)(fact);
const how =
  (wanted: LegFact['how']) =>
  (fact: LegFact): boolean =>
    fact.how === wanted;

const everyOtherRefusal: OutcomeRow = {
  what: 'every other final response',
  when: how('refused'),
  then: failedWithCode,
};

/**
 * The outcomes table of docs/telephony.md. The first row that fits decides: a carrier's phrase stands above its code,
 * and a code that has its own row above those for all.
 */
export const outcomes: readonly OutcomeRow[] = [
  {
    what: 'answered by an announcement that is no mailbox',
    when: ({ how, reason }) => how === 'ended' && reason === 'announcement',
    then: ended('missed', 'announcement'),
  },
  { what: 'answered, then either side ended it', when: how('ended'), then: endedAsTold('answered', 'ended') },
  { what: 'answered, but no agent took part', when: how('agent_missing'), then: ended('abandoned', 'agent_missing') },
  { what: 'the callee refused, the code is lost', when: how('declined'), then: ended('rejected', 'sip_code_lost') },
  { what: 'we cancelled before an answer', when: how('cancelled'), then: endedAsTold('abandoned', 'cancelled') },

  {
    what: 'it rang until our ring timeout',
    when: (fact) => fact.how === 'ring_timeout' && fact.rang,
    then: ended('not-answered', 'ring_timeout'),
  },
  { what: 'it never rang until our ring timeout', when: how('ring_timeout'), then: ended('missed', 'ring_timeout') },
  {
    what: 'no response at all, ten times or more in a row',
    when: (fact, _phrase, { consecutiveSilences }) =>
      fact.how === 'no_response' && consecutiveSilences + 1 >= silencesThatMeanTheGateway,
    then: silenceOfGateway,
  },
  { what: 'no response at all', when: how('no_response'), then: ended('missed', 'no_response') },

  { what: 'credentials, connection, TLS, DNS or codec', when: how('gateway_fault'), then: gatewayFault },
  { what: 'nothing left this system', when: how('not_sent'), then: notSent },
  { what: 'the provider lost track of it', when: how('unknown'), then: ended('failed', 'unknown') },

  { what: 'too many calls a second', when: (_fact, phrase) => phrase === 'rate', then: throttled('rate') },
  { what: 'too many calls at once', when: (_fact, phrase) => phrase === 'channels', then: throttled('channels') },
  { what: 'the phrase names the gateway', when: (_fact, phrase) => phrase === 'gateway', then: gatewayFault },
  {
    what: 'the phrase names the number',
    when: (_fact, phrase) => phrase === 'number',
    then: ended('failed', 'invalid_number'),
  },

  { what: 'credentials refused', when: code(401, 407), then: gatewayFault },
  { what: 'no such number, ever', when: code(410, 484, 604), then: ended('failed', 'invalid_number') },
  { what: 'not found: the number, or a route to it', when: code(404), then: ended('failed', 'not_found') },
  { what: 'it rang unanswered', when: rangWith(408, 480, 487), then: ended('not-answered', 'no_answer') },
  { what: 'it never rang', when: code(408, 480), then: ended('missed', 'unavailable') },
  {
    what: 'the carrier gave up before it rang',
    when: (fact) => code(504)(fact) && !fact.rang,
    then: ended('missed', 'carrier_timeout'),
  },
  { what: 'busy', when: code(486, 600), then: ended('rejected', 'busy') },
  { what: 'declined', when: code(603), then: ended('rejected', 'declined') },
  { what: 'unwanted (RFC 8197)', when: code(607), then: ended('rejected', 'unwanted') },
  { what: 'rejected by the network (RFC 8688)', when: code(608), then: ended('rejected', 'rejected_by_network') },
  { what: 'the carrier is unavailable', when: code(500, 502, 503), then: unavailable },
  everyOtherRefusal,
];

/** The row of the table that an INVITE's end falls under. */
export function outcomeRow(fact: LegFact, context: DispositionContext): OutcomeRow {
  const phrase =
    fact.how === 'refused' && fact.sipStatusCode !== undefined && fact.sipPhrase !== undefined
      ? meaningOf(fact.sipStatusCode, fact.sipPhrase)
      : null;
  return outcomes.find(({ when }) => when(fact, phrase, context)) ?? everyOtherRefusal;
}

/** What the end of an INVITE means for its attempt. Pure: the caller commits it and counts. */
export const dispositionOf = (fact: LegFact, context: DispositionContext): Disposition =>
  outcomeRow(fact, context).then(fact, context);

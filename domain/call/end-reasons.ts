import type { AttemptStatus } from './call.js';

/** What clients can know about a reason. */
interface EndReasonEntry {
  /** Statuses that an attempt, or the record of a batch, can have with this reason. */
  readonly statuses: readonly (AttemptStatus | 'cancelled')[];
  /**
   * The number can never be reached, or its owner wants no calls: no retry follows, whatever the plan of the batch says,
   * and `POST /v1/batch-calls/{batchId}/retry` leaves the number out.
   */
  readonly permanent?: true;
  /** The call is over with it: no retry follows, whatever the plan of the batch says. */
  readonly endsCall?: true;
  /** One sentence for the reference of the API. */
  readonly meaning: string;
}

/**
 * Every reason with which a call or an attempt ends, except `sip_<code>`. A new one needs an entry here and the code that
 * produces it: types, OpenAPI, docs and tests follow from this list.
 */
export const endReasons = {
  callee_hung_up: { statuses: ['answered'], meaning: 'The callee hung up.' },
  caller_hung_up: { statuses: ['answered'], meaning: 'The caller of an inbound call hung up.' },
  agent_hung_up: { statuses: ['answered'], meaning: 'The agent ended the conversation.' },
  ended: { statuses: ['answered'], meaning: 'The call ended; nothing says which side ended it.' },
  transferred: { statuses: ['answered'], meaning: 'The call was transferred to another number.' },
  max_duration: { statuses: ['answered'], meaning: 'The call reached the longest duration that its gateway allows.' },
  callee_silent: {
    statuses: ['answered', 'abandoned'],
    endsCall: true,
    meaning: 'The callee stayed silent, so the agent hung up.',
  },
  opted_out: {
    statuses: ['answered', 'abandoned'],
    endsCall: true,
    meaning: 'The callee asked not to be called again, and the number was put on the do-not-call list.',
  },
  voicemail: {
    statuses: ['answered', 'abandoned'],
    meaning: 'A voicemail answered, so the agent hung up. Retried if `retryOn` has `voicemail`.',
  },
  voicemail_message_left: {
    statuses: ['answered', 'abandoned'],
    meaning: 'A voicemail answered, and the agent left its message. Retried if `retryOn` has `voicemail`.',
  },
  agent_failed: {
    statuses: ['answered', 'abandoned'],
    endsCall: true,
    meaning: 'The agent could not go on because of an error, and hung up.',
  },
  agent_lost: { statuses: ['answered'], meaning: 'The agent’s process died, and no other took over in time.' },
  connection_lost: { statuses: ['answered'], meaning: 'The audio connection to the callee was lost.' },
  carrier_restarted: { statuses: ['answered'], meaning: 'The carrier simulator was restarted during the call.' },
  agent_missing: { statuses: ['abandoned'], meaning: 'The callee answered, but no agent joined the call in time.' },

  ended_by_api: {
    statuses: ['answered', 'abandoned'],
    endsCall: true,
    meaning:
      'The account ended the call: by ending it, by cancelling its batch at once, by stopping all dialing or by ' +
      'erasing the contact.',
  },
  account_suspended: {
    statuses: ['answered', 'abandoned', 'rejected'],
    endsCall: true,
    meaning: 'The operator of the service suspended the account.',
  },
  not_granted: {
    statuses: ['answered', 'abandoned', 'rejected'],
    endsCall: true,
    meaning: 'The operator of the service withdrew the grant of the number or of the gateway’s SIP host.',
  },
  lost: {
    statuses: ['answered', 'abandoned'],
    meaning: 'The service had lost track of the call, and hung up in case it was still live.',
  },
  cancelled: { statuses: ['abandoned'], meaning: 'The call was removed before it was answered; nothing says why.' },
  cancelled_by_livekit: { statuses: ['abandoned'], meaning: 'LiveKit cancelled the call before it was answered.' },

  ring_timeout: {
    statuses: ['not-answered', 'missed'],
    meaning: 'The callee did not answer within the ring timeout; `missed` if the telephone never rang.',
  },
  no_answer: { statuses: ['not-answered'], meaning: 'It rang without an answer until the carrier gave up.' },
  unavailable: { statuses: ['missed'], meaning: 'The carrier could not reach the telephone, which never rang.' },
  announcement: {
    statuses: ['missed'],
    meaning: 'An announcement answered that takes no message, such as “the number is not in service”.',
  },
  carrier_timeout: { statuses: ['missed'], meaning: 'The carrier gave up before the telephone rang.' },
  no_response: { statuses: ['missed'], meaning: 'The carrier did not respond at all.' },
  caller_gave_up: {
    statuses: ['missed'],
    endsCall: true,
    meaning: 'The caller of an inbound call hung up before it was answered.',
  },

  busy: { statuses: ['rejected'], meaning: 'The callee was busy.' },
  declined: { statuses: ['rejected'], meaning: 'The callee declined the call.' },
  unwanted: {
    statuses: ['rejected'],
    permanent: true,
    meaning: 'The callee marked the call as unwanted (SIP 607).',
  },
  rejected_by_network: {
    statuses: ['rejected'],
    permanent: true,
    meaning: 'The network rejected the call on the callee’s behalf (SIP 608).',
  },
  sip_code_lost: {
    statuses: ['rejected', 'failed'],
    meaning: 'The callee or the carrier refused the call, but the SIP code was lost; `rejected` if it had rung.',
  },
  caller_not_allowed: {
    statuses: ['rejected'],
    endsCall: true,
    meaning: 'The gateway or the routing rule does not allow this caller.',
  },
  address_not_allowed: {
    statuses: ['rejected'],
    endsCall: true,
    meaning: 'The From header of the caller names an IP range, which would get past the allowed addresses.',
  },
  agent_inactive: {
    statuses: ['rejected'],
    endsCall: true,
    meaning: 'The agent of an inbound call was not active.',
  },

  invalid_number: { statuses: ['failed'], permanent: true, meaning: 'The carrier says that there is no such number.' },
  not_found: { statuses: ['failed'], meaning: 'The carrier found neither the number nor a route to it.' },
  refused: { statuses: ['failed'], meaning: 'The carrier refused the call without a SIP code.' },
  invalid_header: { statuses: ['failed'], meaning: 'One of the call’s own SIP headers is not valid.' },
  headers_too_long_for_udp: {
    statuses: ['failed'],
    meaning: 'The call’s own SIP headers make the INVITE too long for UDP.',
  },
  carrier_throttled: {
    statuses: ['failed'],
    meaning: 'For 15 minutes, or ten times, the carrier said that there were too many calls.',
  },
  carrier_unavailable: { statuses: ['failed'], meaning: 'The carrier was unavailable three times in a row.' },
  refused_by_gateway: {
    statuses: ['failed'],
    meaning: 'The gateway failed this call ten times, although other calls got through.',
  },
  unknown: { statuses: ['failed'], meaning: 'The service lost track of the call; it may have been placed.' },

  do_not_call: { statuses: ['failed'], endsCall: true, meaning: 'The number is on the account’s do-not-call list.' },
  number_not_allowed: {
    statuses: ['failed'],
    endsCall: true,
    meaning: 'The routing rule or the gateway does not allow calls to this number.',
  },
  country_not_allowed: {
    statuses: ['failed'],
    endsCall: true,
    meaning: 'The account’s guardrails do not allow calls to this country.',
  },
  premium_rate_number: {
    statuses: ['failed'],
    endsCall: true,
    meaning: 'The account’s guardrails refuse premium-rate numbers.',
  },
  satellite_number: {
    statuses: ['failed'],
    endsCall: true,
    meaning: 'The account’s guardrails refuse satellite numbers.',
  },
  pre_dial_refused: {
    statuses: ['failed'],
    endsCall: true,
    meaning: 'The pre-dial endpoint did not want the recipient called; `preDialReason` has its words.',
  },
  pre_dial_unanswered: {
    statuses: ['failed'],
    endsCall: true,
    meaning: 'The pre-dial endpoint gave no usable answer, and the batch call says `skip` in this case.',
  },
  calling_hours: {
    statuses: ['failed'],
    endsCall: true,
    meaning:
      'The account’s calling hours, and the batch’s calling window if it has one, are never open in all time zones of the ' +
      'number at once.',
  },
  calling_window: {
    statuses: ['failed'],
    endsCall: true,
    meaning: 'The batch’s calling window is never open in all time zones of the number at once.',
  },
  expired: {
    statuses: ['failed'],
    endsCall: true,
    meaning: 'A single call could not be dialed within 60 seconds.',
  },
  gateway_unavailable: {
    statuses: ['failed'],
    endsCall: true,
    meaning: 'The gateway had been suspended for 24 hours.',
  },

  batch_cancelled: { statuses: ['cancelled'], endsCall: true, meaning: 'The batch was cancelled before this call.' },
  stopped_after_answered: {
    statuses: ['cancelled'],
    endsCall: true,
    meaning: 'The batch had stopped after enough answers.',
  },
  stopped_after_success: {
    statuses: ['cancelled'],
    endsCall: true,
    meaning: 'The batch had stopped after enough successes.',
  },
  stopped_at_until: {
    statuses: ['cancelled'],
    endsCall: true,
    meaning: 'The batch had stopped at its `until`.',
  },
  stopped_at_max_cost: {
    statuses: ['cancelled'],
    endsCall: true,
    meaning: 'The batch had stopped at its `maxCost`.',
  },
  skipped: {
    statuses: ['cancelled'],
    endsCall: true,
    meaning: 'The recipient was skipped before its first call, or before a retry.',
  },
  erased: {
    statuses: ['cancelled', 'abandoned'],
    endsCall: true,
    meaning: 'The contact was erased before this call.',
  },
} as const satisfies Readonly<Record<string, EndReasonEntry>>;

type ListedEndReason = keyof typeof endReasons;

/** Why a call or an attempt ended. `sip_486` is a final SIP response that has no other reason. */
export type EndReason = ListedEndReason | `sip_${number}`;

/** What `sip_<code>` means. */
export const sipCodeReason = {
  pattern: 'sip_<code>',
  statuses: ['failed'],
  meaning: 'The carrier’s final SIP response, such as `sip_403`, if no other reason describes it.',
} as const;

/** The entry of a listed reason, with every field that an entry can have. */
export const endReasonEntry = (reason: ListedEndReason): EndReasonEntry => endReasons[reason];

/**
 * Reasons of a hang-up with which the account or the callee wants no other call: what was promised before it is not kept, whatever
 * the callee had asked for.
 */
export const promiseBreakers: readonly EndReason[] = ['opted_out', 'ended_by_api', 'account_suspended', 'not_granted'];

/** The listed reasons, in the order of the list. */
export const listedEndReasons = Object.keys(endReasons) as ListedEndReason[];

export const isEndReason = (text: string): text is EndReason =>
  Object.hasOwn(endReasons, text) || /^sip_[3-6]\d\d$/.test(text);

/** Whether an attempt that ended with this reason must never be dialed again. */
export const isPermanent = (reason: EndReason): boolean =>
  Object.hasOwn(endReasons, reason) && endReasonEntry(reason as ListedEndReason).permanent === true;

/** Whether no retry follows an attempt that ended with this reason, whatever the plan says. */
export const endsCall = (reason: EndReason): boolean =>
  Object.hasOwn(endReasons, reason) && endReasonEntry(reason as ListedEndReason).endsCall === true;

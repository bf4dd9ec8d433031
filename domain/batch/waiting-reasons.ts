interface WaitingReasonEntry {
  /** What `until` says of this reason; `event`: it is null, because an event decides and no clock does. */
  readonly until: 'instant' | 'event' | 'either';
  /** One sentence for the reference of the API. */
  readonly meaning: string;
}

/**
 * Every reason for which a recipient of a batch waits for its call. Each recipient counts for one. If several hold it back,
 * that is the first of this list; of the hours and delays (`calling_window` to `not_before`) the one that ends last. Types,
 * OpenAPI, docs and tests follow from this list.
 */
export const waitingReasons = {
  not_started: { until: 'instant', meaning: 'The batch call has not started; `until` is its start.' },
  paused: { until: 'event', meaning: 'The batch call is held as a whole; `pausedReason` says why.' },
  dialing_stopped: {
    until: 'event',
    meaning:
      'All dialing is stopped by the account or the operator of the service, or the batch call is being cancelled or stopped.',
  },
  calling_window: {
    until: 'either',
    meaning:
      'The calling window is closed for the recipient. Guardrails and do-not-call list end no one before it ' +
      'opens. `until` is null while a changed window is being applied to the ' +
      'queue: nothing is dialed meanwhile; and if no hour of it is open in all time zones of the recipient, who then ends ' +
      '`failed` a day after being queued, unless the window is changed: `waitingFor` says for how many.',
  },
  guardrail_hours: {
    until: 'instant',
    meaning: 'The calling hours of the account’s guardrails, or of the operator, are closed for the recipient.',
  },
  daily_limit: {
    until: 'instant',
    meaning: 'The number has been dialed as often today as the guardrails allow; `until` is the begin of its next day.',
  },
  retry_delay: {
    until: 'instant',
    meaning:
      'The delay before the next try is not over: of the plan of retries, or after an INVITE that did not get through.',
  },
  callback: { until: 'instant', meaning: 'The recipient was promised a call at a time of their own.' },
  not_before: { until: 'instant', meaning: 'The recipient’s own `notBefore` lies ahead.' },
  gateway_suspended: {
    until: 'either',
    meaning:
      'The gateway is suspended, because the carrier refuses it or cannot be reached. `until` is when one call tries it ' +
      'again; null while that call is on its way.',
  },
  number_limit: {
    until: 'either',
    meaning:
      'The number that it is called from has used up its `maxCallsPerDay`, or its `minSecondsBetweenCalls` are not over; ' +
      '`until` is when it may call again; null while the call that uses it up is on its way.',
  },
  no_agent_slot: { until: 'event', meaning: 'No agent of the gateway’s region is free.' },
  batch_limit: {
    until: 'event',
    meaning:
      'As many calls of the batch call are live as its `maxConcurrentCalls`, or in conversation as its `stopAfter`.',
  },
  gateway_limit: {
    until: 'event',
    meaning:
      'As many calls are live as the gateway has lines, as its carrier has lately given, or as the operator allows the ' +
      'account.',
  },
  reserved: {
    until: 'event',
    meaning:
      'The free lines or agents are kept for other calls: `reservedCalls` of the gateway, or the operator’s setting.',
  },
  gateway_rate: {
    until: 'instant',
    meaning: 'The calls per second of the gateway; `until` is when it takes the next call.',
  },
  pre_dial: {
    until: 'either',
    meaning:
      'The pre-dial endpoint has not cleared the recipient yet. `until` is when it is asked again, if it gave no ' +
      'usable answer; null while it is being asked.',
  },
  same_number_live: { until: 'event', meaning: 'Another call to the same number is live.' },
  not_queued: { until: 'event', meaning: 'No worker has queued it yet; they or Temporal are behind.' },
  ready: {
    until: 'event',
    meaning: 'A dialer takes it next, or has taken it.',
  },
} as const satisfies Readonly<Record<string, WaitingReasonEntry>>;

/** Why a recipient waits. */
export type WaitingReason = keyof typeof waitingReasons;

/** In the order in which they decide. */
export const listedWaitingReasons = Object.keys(waitingReasons) as WaitingReason[];

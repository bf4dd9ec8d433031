interface PauseReasonEntry {
  /** Whether `POST /v1/batch-calls/{batchId}/resume` ends the pause, or it ends by itself once its cause is gone. */
  readonly ends: 'by-resume' | 'by-itself' | 'either';
  /** One sentence for the reference of the API. */
  readonly meaning: string;
}

/** Every reason for which nothing of a running batch is dialed. Types, OpenAPI, docs and tests follow from this list. */
export const pauseReasons = {
  paused_by_user: { ends: 'by-resume', meaning: 'The account paused the batch.' },
  abandoned_rate: {
    ends: 'by-resume',
    meaning: 'Too many callees answered without an agent joining the call.',
  },
  number_unavailable: {
    ends: 'by-resume',
    meaning: 'The number that the batch calls from is no longer on the account.',
  },
  gateway_unavailable: { ends: 'by-resume', meaning: 'The number no longer has an outbound gateway.' },
  rule_unavailable: { ends: 'by-resume', meaning: 'The routing rule of the batch can no longer be used.' },
  agent_inactive: {
    ends: 'either',
    meaning:
      'The agent is not active. A batch that had started goes on once the agent is deployed; one that was about to start ' +
      'has to be resumed.',
  },
  gateway_suspended: {
    ends: 'by-itself',
    meaning: 'The gateway is suspended because the carrier refuses it or cannot be reached.',
  },
  no_agent_worker: { ends: 'by-itself', meaning: 'No agent worker of the gateway’s region is ready.' },
  dialing_stopped: {
    ends: 'by-itself',
    meaning: 'The account has stopped all dialing; `POST /v1/account/resume-dialing` ends it.',
  },
  service_stopped: { ends: 'by-itself', meaning: 'The operator of the service has stopped all dialing.' },
  account_suspended: { ends: 'by-itself', meaning: 'The operator of the service has suspended the account.' },
  not_granted: {
    ends: 'by-itself',
    meaning: 'The operator of the service has withdrawn the grant of the number or of the gateway’s SIP host.',
  },
} as const satisfies Readonly<Record<string, PauseReasonEntry>>;

/** Why nothing of a batch is dialed. */
export type PauseReason = keyof typeof pauseReasons;

/** Reasons of the whole account or service, which hold every batch of it. */
export type DialingHold = Extract<PauseReason, 'account_suspended' | 'service_stopped' | 'dialing_stopped'>;

/** What a batch needs and can no longer use; `resume` looks again. */
export type BatchObstacleReason = Extract<
  PauseReason,
  'number_unavailable' | 'gateway_unavailable' | 'rule_unavailable' | 'agent_inactive'
>;

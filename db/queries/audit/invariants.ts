/** The checks of `outdial audit`, in the order of its report, each with the meaning of a violation and what to do about it. */
export const invariants = {
  'live-twice': {
    holds: 'No number is in two live attempts, and no call has two attempts that are not over',
    means: 'A person may be on two calls at once.',
    remedy: 'Pause the batches concerned and report it: no state of the service explains it.',
  },
  'attempts-in-order': {
    holds: 'Each attempt was dialed after the one before it had ended, and not before its time',
    means: 'A person was called sooner than the retry plan says, or an attempt is missing between two others.',
    remedy: 'Pause the batches concerned and report it.',
  },
  'retry-plan': {
    holds: 'No attempt was dialed that the end of the one before did not plan',
    means: 'A person was called more often than the retry plan allows, or after the call had been answered.',
    remedy: 'Pause the batches concerned and report it.',
  },
  'attempt-counts': {
    holds: 'Each call has made as many attempts as it counts, and each attempt that was dialed has an INVITE',
    means: 'The attempts that the API shows are not those that were made.',
    remedy: 'Compare with the carrier’s records, then report it.',
  },
  'settled-calls': {
    holds: 'No settled call waits in the queue or is live, and no finished batch has an open call',
    means: 'A call that reads as over may be dialed, or goes on.',
    remedy: 'End the calls named (POST /v2/sip/call/end); cancel the batches named.',
  },
  'calling-window': {
    holds: 'Nothing was dialed outside of its calling window',
    means: 'People were called at an hour that the batch forbids.',
    remedy: 'Compare the clocks of database, dialers and workers, then report it.',
  },
  'calling-hours': {
    holds: 'Nothing was dialed outside of the calling hours of its account’s guardrails',
    means: 'People were called at an hour that the account forbids.',
    remedy: 'Compare the clocks of database and dialers, then report it.',
  },
  'do-not-call': {
    holds: 'Nothing was dialed to a number that was on the do-not-call list',
    means: 'A person was called who had opted out.',
    remedy: 'Pause the batches concerned and report it.',
  },
  'number-limits': {
    holds: 'No number made more calls in a day, or one sooner after the other, than its limits allow',
    means: 'A number may be marked as spam, or its carrier may block it.',
    remedy: 'Compare with the carrier’s records, then report it.',
  },
  'reserved-lines': {
    holds: 'Batches had no more lines of a gateway than it leaves them',
    means: 'Single and inbound calls may have found no line.',
    remedy: 'Report it; raise the reserve meanwhile if such calls fail.',
  },
  'pre-dial': {
    holds: 'Nobody was dialed whom the pre-dial endpoint had refused or not cleared',
    means: 'A person was called whom the client would not have called.',
    remedy: 'Pause the batches concerned and report it.',
  },
  stops: {
    holds: 'No call of a batch was made after it had stopped, and those who were not called say why',
    means: 'People were called who were not needed any more, or the batch’s end reads wrong.',
    remedy: 'Cancel batches named that go on, then report it.',
  },
  campaigns: {
    holds: 'Each run of a campaign took everyone who waited, into one batch call of its own, and came when it was due',
    means: 'Recipients were called twice, or not at all.',
    remedy: 'See that workers run: the watchdog makes lost schedules again within a minute. Report what stays.',
  },
  'batch-counters': {
    holds: 'The counters of each batch are the counts of its calls',
    means: 'Progress and webhooks of the batch show wrong numbers; its calls are right.',
    remedy: 'Report it; nothing is dialed by the counters.',
  },
  figures: {
    holds: 'The figures of each batch (GET …/stats?by=) are the sums over its calls and attempts',
    means: 'Statistics of the batch and of its account show wrong numbers; its calls are right.',
    remedy: 'Report it; nothing is dialed by the figures.',
  },
  timeline: {
    holds: 'The timeline of each batch (GET …/timeline) is the sum over its attempts',
    means: 'The timelines of the batch and of its account show wrong numbers; its calls are right.',
    remedy: 'Report it; nothing is dialed by the timeline.',
  },
  'terminal-webhook': {
    holds: 'Each finished batch that has a webhook has announced its end once',
    means: 'The receiver of the webhook was not told that the batch ended.',
    remedy: 'Tell the receiver, and report it.',
  },
  'orphaned-legs': {
    holds: 'No live attempt belongs to a dialer whose lease ran out long ago',
    means: 'Nothing watches these calls: no dialer runs, or none can take them over.',
    remedy: 'Start a dialer, or look in the logs of those that run why they take nothing over.',
  },
  'unreported-attempts': {
    holds: 'Each attempt that ended has been told to its workflow within minutes',
    means: 'Retries may be late: Temporal cannot be reached, or no dialer runs.',
    remedy: 'See that dialers run and reach Temporal; it then repairs itself.',
  },
  workflows: {
    holds: 'Each open call is in the queue, live, waiting for its retry, or in the hands of a running workflow',
    means: 'These calls stand still.',
    remedy: 'See that workers run: the watchdog starts what is missing within a minute. Report what stays.',
  },
} as const;

export type InvariantName = keyof typeof invariants;

/** One case in which an invariant does not hold. */
export interface Violation {
  readonly invariant: InvariantName;
  /** Of a call, an attempt, a batch or a number. */
  readonly id: string;
  /** Words for a person */
  readonly details: string;
}

/** The rows that a check reads. */
export interface AuditScope {
  /** null: all accounts. */
  readonly accountId: string | null;
  /** Only what was made since then; null: all. */
  readonly since: Date | null;
}

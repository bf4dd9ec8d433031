import { dialing, gate } from './broken.js';
import type { Mutant } from './mutants.js';

/** Promises about single recipients, and about batches that wait for more of them. */
export const recipientMutants: readonly Mutant[] = [
  {
    what: 'an open batch that is taken for one that is not completes by itself',
    statements: [{ in: 'b.cancel_dropped or b.calls_per_workflow', from: 'b.open,', to: 'false as open,' }],
    found: /is completed while it is open/,
    odds: dialing,
    start: 'open',
  },
  {
    what: 'a skip that leaves the attempt in the queue, and a gate that does not look at the call, dial who was skipped',
    functions: [{ in: gate, from: ' or c.settled', to: '' }],
    statements: [
      { in: 'delete from call_attempts where call_id', from: "phase in ('queued', 'claimed')", to: "phase = 'none'" },
    ],
    found: /forbidden: call|call was cancelled/,
    odds: { ...dialing, flow: 8, skipAtGate: 20 },
    start: 'waiting',
  },
  {
    what: 'a change of notBefore that reaches neither queue nor gate dials before it',
    functions: [{ in: gate, from: "when c.attempts_made = 0 and c.not_before > instant then 'held'", to: '' }],
    statements: [
      {
        in: 'due_at = greatest(least(a.due_at, clock_timestamp())',
        from: 'c.next_attempt_at, case when a.invite',
        to: 'null, case when a.invite',
      },
    ],
    found: /before its notBefore/,
    odds: { ...dialing, flow: 8, notBeforeAtGate: 20 },
    start: 'waiting',
  },
  {
    what: 'an attempt outside of the retry plan that is retried by it dials oftener than it was asked for',
    statements: [{ in: 'b.retry_enabled and not a.again', from: ' and not a.again', to: '' }],
    found: /requests to call again|the retry plan has/,
    odds: { ...dialing, callAgain: 10 },
    start: 'open',
  },
];

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
    what: 'a skip that forgets which INVITEs the carrier has refused sends them again to who is called after all',
    statements: [{ in: 'set withdrawn_invites = w.invite', from: 'w.invite > 0', to: 'false' }],
    found: /was sent twice/,
    odds: { ...dialing, skip: 8, callAgain: 20 },
    start: 'sentBack',
    seed: 3,
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
    seed: 2,
  },
  {
    what: 'an attempt outside of the retry plan that is retried by it dials oftener than it was asked for',
    statements: [{ in: 'b.retry_enabled and not a.again', from: ' and not a.again', to: '' }],
    found: /requests to call again|the retry plan has/,
    odds: { ...dialing, callAgain: 25 },
    start: 'open',
    long: true,
  },
  {
    what: 'requests to add recipients that do not wait for each other add those twice whose request is repeated',
    schema: 'drop index calls_by_recipient; alter table calls drop constraint calls_batch_id_position_key',
    statements: [{ in: 'hashtextextended(', from: /pg_advisory_xact_lock\(.*\)$/, to: '$1::text' }],
    found: /was added \d+ times/,
    odds: { ...dialing, addTwice: 12 },
    start: 'open',
  },
  {
    what: 'a request that does not look who is there adds everybody again when it is repeated',
    schema: 'drop index calls_by_recipient',
    statements: [{ in: 'select recipient_id as id from calls', from: 'where', to: 'where false and' }],
    found: /was added \d+ times/,
    odds: { ...dialing, addRecipients: 4, addAgain: 8 },
    start: 'open',
  },
  {
    what: 'a request that is answered although it has added only some loses the others',
    statements: [
      {
        in: 'insert into calls (id, account_id, batch_id, position',
        from: 'on b.id = ',
        to: 'on n.place < 3 and b.id = ',
      },
    ],
    found: /was added, and is not there/,
    odds: { ...dialing, addRecipients: 8 },
    start: 'open',
  },
  {
    what: 'a batch that does not look at who was added completes before they are called',
    statements: [
      {
        in: 'as "ofFile"',
        from: /exists \(select 1 from calls c where c\.batch_id = (\$\d+)[^)]*\) as added/,
        to: '($1::text is null) as added',
      },
    ],
    found: /is completed while its call/,
    odds: { ...dialing, addAtEnd: 12 },
    start: 'few',
    seed: 6,
  },
  {
    what: 'a batch whose end does not wait for a request that adds to it completes before they are called',
    statements: [{ in: 'b.cancel_dropped or b.calls_per_workflow', from: 'for no key update of b', to: '' }],
    found: /is completed while its call/,
    odds: { ...dialing, addAtEnd: 12 },
    start: 'few',
    seed: 5,
  },
];

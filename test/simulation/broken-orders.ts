import { claim, dialing, gate } from './broken.js';
import type { Mutant } from './mutants.js';

const unclosed = { in: 'gating.ts', from: ' && tookMs < (answer.closesInMs ?? Infinity)', to: '' };

/** Promises about what is ordered, about hours, and about what is written of outcomes. */
export const orderMutants: readonly Mutant[] = [
  {
    what: 'a gate that does not look at the do-not-call list dials who opted out a moment before',
    functions: [{ in: gate, from: /when exists \(select 1 from do_not_call[^)]*\)\s+then 'do_not_call'/, to: '' }],
    found: /passed the gate after it was forbidden: number/,
    odds: { ...dialing, flow: 8, optOutAtGate: 20 },
    start: 'waiting',
  },
  {
    what: 'neither gate nor dialer looks at the end of the window: calls are dialed after it',
    dialer: [unclosed],
    functions: [{ in: gate, from: 'a.not_after <= instant or w.until <= instant', to: 'w.until <= instant' }],
    found: /outside of its calling window/,
    odds: { ...dialing, flow: 2, minuteAtGate: 20 },
    start: 'closing',
  },
  {
    what: 'a dialer that does not count how long the gate took dials after the end of the window',
    dialer: [unclosed],
    found: /outside of its calling window/,
    odds: { ...dialing, flow: 2, minuteAfterGate: 20 },
    start: 'closing',
    long: true,
  },
  {
    what: 'a batch that goes on while its window moves dials by the one before',
    functions: [
      { in: gate, from: ' or b.window_moving', to: '' },
      { in: claim, from: ' and not b.window_moving', to: '' },
    ],
    found: /outside of its calling window/,
    odds: { ...dialing, flow: 8, windowAtGate: 20 },
    start: 'waiting',
    seed: 2,
  },
  {
    what: 'a queue that keeps its times when the window moves dials before it opens',
    statements: [
      {
        in: 'as z (call_id, number, opens_at, closes_at)\n    join calls',
        from: /,\s+case when z\.opens_at > clock_timestamp\(\) then z\.opens_at end\)/,
        to: ')',
      },
    ],
    found: /outside of its calling window/,
    odds: { ...dialing, flow: 8, moveWindow: 10 },
    start: 'waiting',
    long: true,
  },
  {
    what: 'a change of the window that passes over calls which are out has them dialed before it opens if they are sent back',
    statements: [{ in: 'c.time_zones as zones', from: "'claimed', 'dialing', 'ringing')", to: "'claimed')" }],
    found: /outside of its calling window/,
    odds: { ...dialing, flow: 8, windowWhileOut: 20 },
    start: 'sentBack',
    long: true,
  },
  {
    what: 'a call that is sent back is due by the times before its window was changed, and dialed before it opens',
    statements: [{ in: 'with again as', from: 'greatest(a.due_at, clock_timestamp()', to: '(clock_timestamp()' }],
    found: /outside of its calling window/,
    odds: { ...dialing, flow: 8, windowWhileOut: 20 },
    start: 'sentBack',
    seed: 6,
  },
  {
    what: 'a gate that does not compare the guardrails dials by those before',
    functions: [{ in: gate, from: "when coalesce(y.revision, 0) <> w.guardrails then 'guardrails_changed'", to: '' }],
    found: /outside of the account's calling hours|in a day/,
    odds: { ...dialing, flow: 8, guardAtGate: 20 },
    start: 'waiting',
    long: true,
  },
  {
    what: 'neither gate nor dialer looks at the end of the calling hours: calls are dialed after it',
    dialer: [unclosed],
    functions: [{ in: gate, from: 'a.not_after <= instant or w.until <= instant', to: 'a.not_after <= instant' }],
    found: /outside of the account's calling hours/,
    odds: { ...dialing, flow: 2, minuteAtGate: 20 },
    start: 'lateHours',
    long: true,
  },
  {
    what: 'a late attempt that neither gate nor dialer stops leaves after its slot',
    functions: [{ in: gate, from: /\s+or instant > a\.dial_at \+ make_interval\([^)]*\) \/ 1000\)/, to: '' }],
    dialer: [{ in: 'gating.ts', from: 'maySend && lateMs <= pendingDial.patienceMs', to: 'maySend' }],
    found: /ms after its slot/,
    odds: { ...dialing, flow: 8, slowGate: 20 },
    start: 'waiting',
    long: true,
  },
  {
    what: 'a dialer that does not count how long the gate took sends after its slot',
    dialer: [{ in: 'gating.ts', from: 'maySend && lateMs <= pendingDial.patienceMs', to: 'maySend' }],
    found: /ms after its slot/,
    odds: { ...dialing, flow: 8, slowGate: 20 },
    start: 'waiting',
    long: true,
  },
  {
    what: 'a cancel that takes live calls for idle ones settles them while people talk',
    statements: [{ in: 'with idle as materialized', from: /and not exists \([^)]*\([^)]*\)\)/, to: '' }],
    found: /is cancelled while its attempt/,
    odds: { ...dialing, cancel: 2 },
    start: 'waiting',
  },
  {
    what: 'the end of an earlier INVITE that is taken for that of the present one has it made again',
    statements: [
      { in: '"throttledSeconds"', from: /and a\.invite = z\.invite\s+and a\.claim_id = z\.claim_id/, to: '' },
    ],
    dialer: [
      { in: 'write-progress.ts', from: 'row?.claimId !== seen.key.claimId ? [] :', to: 'row === undefined ? [] :' },
    ],
    found: /which is live|is live, and its call|which the carrier had taken/,
    odds: { ...dialing, flow: 8, lateOutcome: 20 },
    start: 'refused',
    long: true,
  },
  {
    what: 'an outcome that is written again over an attempt that has ended takes back what came after it',
    statements: [
      { in: '"throttledSeconds"', from: /where a\.phase \|\| '' in \([^)]*\)/, to: '' },
      { in: 'with ends as', from: /and a\.phase \|\| '' in \([^)]*\)/, to: '' },
    ],
    found: /ended as|is retrying while its attempt|call was|is live, and its call/,
    odds: { ...dialing, flow: 8, outcomeAgain: 20 },
    start: 'refused',
    seed: 4,
  },
  {
    what: 'a queue that does not wait for the time of a retry dials before it',
    statements: [{ in: 'timed as materialized', from: ', next_attempt_at) as due_at', to: ') as due_at' }],
    found: /its retry plan says/,
    odds: dialing,
    start: 'few',
    seed: 5,
  },
  {
    what: 'a dialer that forgets how often it has dialed plans retries without end',
    dialer: [{ in: 'decide.ts', from: '{ attemptsMade: attempt }', to: '{ attemptsMade: 1 }' }],
    found: /the retry plan has/,
    odds: dialing,
    start: 'busy',
    long: true,
  },
];

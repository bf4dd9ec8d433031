import { claim, dialing, gate } from './broken.js';
import type { Mutant } from './mutants.js';

/** Neither gate nor claim looks at limits of numbers. */
const unjudged = [
  { in: gate, from: "when a.claim_id = any (spent) then 'number_limit'", to: '' },
  { in: claim, from: /, r\.room\)(?=\s+as slots)/, to: ')' },
];

const choose = '04-choose-callers.sql';

/** Promises about the numbers that calls are made from, and about batches that stop by themselves. */
export const numberMutants: readonly Mutant[] = [
  {
    what: 'neither gate nor claim counts the calls of a number: it calls oftener in a day than it may',
    functions: unjudged,
    found: /is call \d+ of \+\d+ that day, \d+ are allowed/,
    odds: dialing,
    start: 'limited',
  },
  {
    what: 'neither gate nor claim looks when a number has called: it calls again before its least time is over',
    functions: unjudged,
    found: /ms after one of \+\d+, \d+ s lie between two/,
    odds: dialing,
    start: 'spaced',
  },
  {
    what: 'a retry that does not look at the number of the try before is made from another one',
    functions: [{ in: choose, from: '(n.e164 <> item.from_number)::integer', to: '0' }],
    found: /left from \+\d+, the try before from/,
    odds: dialing,
    start: 'pooled',
  },
  {
    what: 'a retry that is to be made from another number is made from the one before',
    functions: [{ in: choose, from: "item.on_retry = 'same'", to: 'true' }],
    found: /was called from oftener than from/,
    odds: dialing,
    start: 'pooledOther',
  },
  {
    what: 'neither gate, claim nor dialer looks at the instant at which a batch stops: calls start after it',
    functions: [
      { in: gate, from: 'when (b.stop_at is not null or', to: 'when (false and b.stop_at is not null or' },
      { in: gate, from: /least\(a\.not_after, w\.until, b\.stop_at\)/g, to: 'least(a.not_after, w.until)' },
      { in: claim, from: 'not ((b.stop_at is not null or', to: 'not ((false and b.stop_at is not null or' },
    ],
    found: /after batch_0 was to stop/,
    odds: dialing,
    start: 'until',
  },
  {
    what: 'a gate that does not look whether the batch has stopped dials after the answer with which it stops',
    functions: [
      {
        in: gate,
        from: "(b.status <> 'running' or b.paused",
        to: "(b.status not in ('running', 'cancelling') or b.paused",
      },
      {
        in: gate,
        from: 'when (b.stop_at is not null or b.stop_after_answered is not null)',
        to: 'when (b.stop_at is not null)',
      },
    ],
    found: /was dialed after batch_0 had stopped/,
    odds: dialing,
    start: 'stopping',
  },
  {
    what: 'an answer that does not look whether its batch has had enough leaves it running',
    dialer: [{ in: 'write-progress.ts', from: 'await stopReached(tx, answeredLast(decisions));', to: '' }],
    found: /runs with \d+ answers, and stops after 2/,
    odds: dialing,
    start: 'stopping',
  },
];

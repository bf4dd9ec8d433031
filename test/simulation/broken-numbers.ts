import { claim, dialing, gate } from './broken.js';
import type { Mutant } from './mutants.js';
import type { Odds } from './scenario.js';

/** Neither gate nor claim looks at limits of numbers. */
const unjudged = [
  { in: gate, from: "when a.claim_id = any (spent) then 'number_limit'", to: '' },
  { in: claim, from: /, r\.room\)(?=\s+as slots)/, to: ')' },
];

const choose = '04-choose-callers.sql';

/** Nobody is in the way, and nothing stands still for long. */
const sharing: Odds = { ...dialing, freeze: 0, lapse: 0, flow: 60 };

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
    seed: 6,
  },
  {
    what: 'a retry that is to be made from another number is made from the one before',
    functions: [{ in: choose, from: "item.on_retry = 'same'", to: 'true' }],
    found: /was called from oftener than from/,
    odds: dialing,
    start: 'pooledOther',
    seed: 3,
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
    long: true,
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
        from: 'when (b.stop_at is not null or b.stop_after_answered is not null or',
        to: 'when (b.stop_at is not null or',
      },
    ],
    found: /was dialed after batch_0 had stopped/,
    odds: dialing,
    start: 'stopping',
  },
  {
    what: 'an answer that does not look whether its batch has had enough leaves it running',
    dialer: [{ in: 'write-progress.ts', from: 'await stopReached(tx, endedLast(decisions));', to: '' }],
    found: /runs with \d+ answers, and stops after 2/,
    odds: dialing,
    start: 'stopping',
  },
  {
    what: 'a success that does not look whether its batch has had enough leaves it running',
    functions: [{ in: '00-reached-stops.sql', from: /when b\.stop_after_success <= \([^;]*?then 'success'/, to: '' }],
    found: /runs with \d+ successes, and stops after 2/,
    odds: dialing,
    start: 'succeeding',
    seed: 2,
  },
  {
    what: 'an end that does not look what its batch has cost leaves it running',
    functions: [{ in: '00-reached-stops.sql', from: /when b\.max_cost is not null and [^;]*?then 'maxCost'/, to: '' }],
    found: /runs at a cost of \d+ calls, and stops at that of 2/,
    odds: dialing,
    start: 'costing',
  },
  {
    what: 'a cost that lacks what is not added to the figures yet is found too late',
    functions: [
      { in: '00-reached-stops.sql', from: /union all\s+select n\.cost[^;]*? n\.batch_id = p_batch\)/, to: ')' },
    ],
    found: /runs at a cost of \d+ calls, and stops at that of 2/,
    odds: dialing,
    start: 'costing',
    long: true,
  },
  {
    what: 'an amount that is taken for any amount stops a batch too soon',
    functions: [{ in: '00-reached-stops.sql', from: '>= b.max_cost then', to: '> 0 then' }],
    found: /stopped by its cost at that of 1 of 2 calls/,
    odds: dialing,
    start: 'costing',
    long: true,
  },
  {
    what: 'a claim that gives each batch as many turns as the others does not go by their priorities',
    functions: [{ in: claim, from: '10 - b.priority as weight', to: '5 as weight' }],
    found: /batch_1 of weight 1 was given \d+ turns while batch_0 of weight 9 waited/,
    odds: sharing,
    start: 'shared',
  },
  {
    what: 'a claim that keeps no turns serves the batch of the first priority alone',
    functions: [
      { in: claim, from: 'else f.ahead + (f.turn - 1)::double precision / f.weight end,', to: 'else -f.weight end,' },
    ],
    found: /batch_0 of weight 9 was given \d+ turns while batch_1 of weight 1 waited with 0/,
    odds: sharing,
    start: 'shared',
  },
  {
    what: 'a claim that looks at turns alone gives a batch with long calls the lines of the others',
    functions: [{ in: claim, from: 'as is_over) k', to: 'and false as is_over) k' }],
    found: /above its share of 3, while batch_\d waited/,
    odds: sharing,
    start: 'sharedLines',
  },
];

import type { Mutant } from './mutants.js';
import { noMoves, type Odds } from './scenario.js';

export const gate = 'gate-attempts.sql';
export const claim = 'claim-attempts.sql';
const ofClaim = /\s+and \(p_claims is null or a\.claim_id = [wj]\.claim_id\)/g;

/** Nothing in the way of calls, but for a dialer that stands still now and then. */
export const dialing: Odds = {
  ...noMoves,
  ...{ step: 10, flow: 30, wait: 3, lapse: 1, freeze: 1, startDialer: 0.2, resume: 3, goOn: 3, unsuspend: 3 },
};

/** Calls go on and on. */
const flowing: Odds = { ...dialing, flow: 60, freeze: 0 };

/** Nothing but dialers that stand still, and statements that arrive late. */
const overtaking: Odds = {
  ...noMoves,
  ...{ step: 20, flow: 20, wait: 5, oversleep: 2, lateGate: 20, startDialer: 1, pause: 1, resume: 3 },
};

/** Each is found within some thousand steps; ADR 9 says which ones were not. */
export const mutants: readonly Mutant[] = [
  {
    what: 'C1: a process that goes on after its lease has run out, as if nothing had been, sends INVITEs twice',
    dialer: [
      { in: 'lease.ts', from: 'if (elapsedMs(renewed) >= leaseSeconds * 1000) lost = true;', to: '' },
      { in: 'held-claims.ts', from: '?.claimId === attempt.claimId', to: ' !== undefined' },
      { in: 'held-claims.ts', from: 'attempts.filter((attempt) => !has(attempt))', to: '[...attempts]' },
      { in: 'gating.ts', from: 'deps.leaves(pendingDial)', to: 'deps.leaves(pendingDial) || true' },
      { in: 'gating.ts', from: /const maySend = [^;]*;/, to: 'const maySend = true;' },
      { in: 'gating.ts', from: 'maySend && lateMs <= pendingDial.patienceMs', to: 'maySend' },
    ],
    functions: [
      { in: gate, from: ofClaim, to: '' },
      {
        in: gate,
        from: "when a.call_id is null or not alive or c.settled then 'lost'",
        to: "when a.call_id is null then 'lost'",
      },
      { in: 'pace-attempts.sql', from: /\n\s+and \(p_claims is null or s\.claim_id = w\.claim_id\)/, to: '' },
      { in: 'pace-attempts.sql', from: / and \(p_claims is null or a\.claim_id = w\.claim_id\)/, to: '' },
    ],
    statements: [{ in: 'set lease_until = clock_timestamp() +', from: ' and lease_until > clock_timestamp()', to: '' }],
    found: /was sent twice|under a claim that is void/,
    odds: overtaking,
    start: 'few',
    seed: 3,
  },
  {
    what: 'C1: a gate that does not compare the claim lets pass what a process asked under an earlier one',
    functions: [{ in: gate, from: ofClaim, to: '' }],
    found: /passed the gate under a claim that is void/,
    odds: overtaking,
    start: 'few',
    long: true,
  },
  {
    what: 'a gate that does not look at the batch dials after a cancel or a pause was answered',
    functions: [
      {
        in: gate,
        from: "when b.id is not null and (b.status <> 'running' or b.paused or b.window_moving) then 'held'",
        to: '',
      },
    ],
    found: /passed the gate after it was forbidden: (batch|paused)/,
    odds: { ...dialing, cancel: 0.5, pause: 6, resume: 6 },
    start: 'waiting',
    seed: 6,
  },
  {
    what: 'a gate that does not look at the account dials for one that is stopped or suspended',
    functions: [{ in: gate, from: "when dialing_held_since(t) is not null then 'held'", to: '' }],
    found: /passed the gate after it was forbidden: account/,
    odds: { ...dialing, stop: 6, goOn: 6, suspend: 6, unsuspend: 6 },
    start: 'waiting',
    long: true,
  },
  {
    what: 'a claim that does not count what is live exceeds the concurrency of a gateway',
    functions: [
      { in: claim, from: /least\(ceiling - live_now,/, to: 'least(ceiling,' },
      { in: claim, from: / - live_of_batches;/, to: ';' },
    ],
    found: /live calls, \d+ are allowed/,
    odds: flowing,
    start: 'crowded',
  },
  {
    what: 'a claim that takes one call more than a gateway carries exceeds its concurrency',
    functions: [
      { in: claim, from: /least\(ceiling - live_now,/, to: 'least(ceiling + 1 - live_now,' },
      { in: claim, from: / - live_of_batches;/, to: ' - live_of_batches + 1;' },
    ],
    found: /live calls, \d+ are allowed/,
    odds: flowing,
    start: 'crowded',
    long: true,
  },
  {
    what: 'a claim of batches that does not count their live calls takes the reserved lines of a gateway',
    functions: [{ in: claim, from: / - live_of_batches;/, to: ';' }],
    found: /batches of gw_0 have \d+ live calls, \d+ are allowed/,
    odds: flowing,
    start: 'reserved',
  },
  {
    what: 'a claim that looks at what each batch may take, not at what all may, takes reserved lines',
    functions: [
      { in: claim, from: /limit least\(free_slots, batch_slots \+ .*\)/, to: 'limit free_slots' },
      { in: claim, from: /case l\.lane when '' then free_slots else batch_slots end/, to: 'free_slots' },
    ],
    found: /batches of gw_0 have \d+ live calls, \d+ are allowed/,
    odds: flowing,
    start: 'reserved',
    long: true,
  },
  {
    what: 'slots that lie a second apart, not a second and the dialers’ patience, send a call too many in a second',
    functions: [{ in: 'pace-attempts.sql', from: '(span + gw.slot_patience)', to: 'span' }],
    found: /sent \d+ calls within \d+ s/,
    odds: { ...dialing, wait: 30, freeze: 4 },
    start: 'waiting',
    long: true,
  },
  {
    what: 'a recovery that takes what dialers with a live lease hold is seen',
    statements: [{ in: 'with freed as', from: 'p.lease_until < clock_timestamp()', to: "p.lease_until < 'infinity'" }],
    found: /was taken from a dialer whose lease runs/,
  },
  {
    what: 'a recovery that takes the calls of dialers with a live lease is seen',
    statements: [
      { in: 'with orphans as', from: 'p.lease_until < clock_timestamp()', to: "p.lease_until < 'infinity'" },
    ],
    found: /was taken from a dialer whose lease runs/,
    long: true,
  },
];

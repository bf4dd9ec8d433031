import { dialing, gate } from './broken.js';
import type { Mutant } from './mutants.js';

const claim = 'claim-attempts.sql';
const ofAnswers = '04-pre-dial.sql';

/** Promises about recipients of whom an endpoint is asked before they are dialed. */
export const preDialMutants: readonly Mutant[] = [
  {
    what: 'a dialer that takes a refusal for consent dials who is not to be called',
    dialer: [
      {
        in: 'pre-dial.ts',
        from: 'refused.push({ ...key, claimId: null, questionId, preDialReason: verdict.reason })',
        to: 'cleared.push({ ...key, metadata: null })',
      },
    ],
    found: /though the pre-dial endpoint had refused it/,
    odds: dialing,
    start: 'asking',
  },
  {
    what: 'a claim and a gate that wait for no answer dial before the endpoint has said anything',
    functions: [
      { in: claim, from: 'b.pre_dial is not null as asks', to: 'false as asks' },
      {
        in: gate,
        from: 'when b.pre_dial is not null and not pre_dial_cleared(',
        to: 'when false and not pre_dial_cleared(',
      },
    ],
    found: /though the pre-dial endpoint had (?:not cleared|refused) it/,
    odds: dialing,
    start: 'asking',
  },
  {
    what: 'an answer that is taken for that of every attempt dials again without asking again',
    functions: [
      {
        in: claim,
        from: 'a.call_id = w.call_id and a.number = w.number\n        where o.asks',
        to: 'a.call_id = w.call_id\n        where o.asks',
      },
      { in: ofAnswers, from: 'w.number = p_number and w.cleared', to: 'w.cleared' },
    ],
    found: /though the pre-dial endpoint had not cleared it/,
    odds: dialing,
    start: 'asking',
    long: true,
  },
  {
    what: 'a question that clears whom it was not answered about dials those whom the endpoint left out',
    dialer: [
      {
        in: 'pre-dial.ts',
        from: 'unusable.push(attempt);\n        if (verdict',
        to: 'cleared.push({ ...key, metadata: null });\n        if (verdict',
      },
    ],
    found: /though the pre-dial endpoint had not cleared it/,
    odds: dialing,
    start: 'asking',
    long: true,
  },
  {
    what: 'an endpoint that is at fault is taken for one that refuses: recipients end whom it never refused',
    dialer: [
      {
        in: 'pre-dial.ts',
        from: "if (preDial.onError !== 'wait') await actOnError(question, asked);",
        to: "await deps.settle(asked.map(({ callId, attempt }) => ({ callId, attempt, claimId: null })), 'pre_dial_refused');",
      },
    ],
    found: /which its endpoint never said/,
    odds: dialing,
    start: 'asking',
    long: true,
  },
];

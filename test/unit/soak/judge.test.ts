import { expect, test } from 'vitest';
import type { LedgerLine } from '../../../telephony/simulator/ledger.js';
import type { BatchAnswer, BatchEvidence, Evidence, Version } from '../../soak/judge/evidence.js';
import { judge } from '../../soak/judge/judge.js';

const startMs = Date.parse('2026-11-22T12:00:00.000Z');
const at = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();
const ms = (seconds: number): number => startMs + seconds * 1000;

const gatewayId = 'gwo_1';
const from = '+15550100001';
const [ann, bob] = ['+15550000010', '+15550000121'];

const leg = (callId: string, to: string, attempt = 1, invite = 1) => {
  const line = (event: LedgerLine['event'], seconds: number, rest: Partial<LedgerLine> = {}): LedgerLine => ({
    ...{ at: at(seconds), event, callId, to, from, attempt, invite, gatewayId, simulated: true },
    ...rest,
  });
  return {
    invite: (seconds: number) => line('invite', seconds),
    ringing: (seconds: number) => line('ringing', seconds, { sipStatusCode: 180 }),
    answered: (seconds: number) => line('ended', seconds, { how: 'ended', sipStatusCode: 200 }),
    refused: (seconds: number, sipStatusCode: number) => line('rejected', seconds, { how: 'refused', sipStatusCode }),
    limit: (seconds: number, reason: string) => line('violation', seconds, { reason }),
  };
};

const only = <T>(value: T): Version<T>[] => [{ value, askedAtMs: 0, answeredAtMs: 0, ghostUntilMs: 0 }];

const annsCall = leg('call-ann', ann);
const bobsFirst = leg('call-bob', bob);
const bobsSecond = leg('call-bob', bob, 2);

/** Ann answers; Bob is busy, and answers two seconds later. */
const goodLedger: readonly LedgerLine[] = [
  annsCall.invite(1),
  bobsFirst.invite(1.2),
  annsCall.ringing(1.5),
  bobsFirst.refused(2, 486),
  annsCall.answered(3),
  bobsSecond.invite(4.1),
  bobsSecond.answered(6),
];

const record = (callId: string, phoneNumber: string, attempts: number, status = 'answered') => ({
  ...{ callId, phoneNumber, status, attempts, reason: undefined },
});

const goodEnd: BatchAnswer = {
  ...{
    status: 'completed',
    completedAtMs: ms(7),
    stoppedBy: undefined,
    recordsUploaded: 2,
    counts: { answered: 2, failed: 0, cancelled: 0 },
    cost: 0,
  },
  ...{ statsTotal: 2, statsAttempts: 3, records: [record('call-ann', ann, 1), record('call-bob', bob, 2)] },
};

const goodBatch: BatchEvidence = {
  ...{ account: 'acc_1', batchId: 'batch_1', numbers: [ann, bob], startsAtMs: undefined, end: goodEnd },
  ...{ retry: only({ retryOn: ['rejected'], retryDelays: [2] }), window: only(null), mostAtOnce: only(null) },
  ...{ bans: [], cancelAsked: false, uploaded: 2, doubtful: new Set(), open: only(false), orders: [] },
  ...{ skips: new Map(), wishes: new Map(), callers: { numbers: [from], onRetry: 'same' } },
  ...{ stopAfterAnswered: only(null), stopAt: only(null), maxCost: only(null), stopSeenMs: Infinity },
  ...{ stopAfterSuccess: only(null), successesSeen: [], priority: 5, contest: undefined },
};

const webhook = (event: string, webhookId: string, status = 'completed') => ({
  ...{ event, webhookId, status, batchId: 'batch_1', recordsUploaded: 2, verified: true },
});
const goodWebhooks = [webhook('batchcall-started', 'whd_1', 'running'), webhook('batchcall-completed', 'whd_2')];

const unlimited = { reserved: only(0), numbers: [] };

const evidence = (changes: Partial<Evidence> = {}): Evidence => ({
  ledger: goodLedger,
  accounts: [{ account: 'acc_1', gatewayIds: [gatewayId], bans: [], hangUps: [], optOuts: new Map(), ...unlimited }],
  batches: [goodBatch],
  ...{ singles: [], webhooks: goodWebhooks, lines: 30, roadHeld: [], paceHeld: [], over: true },
  ...changes,
});

const rulesBroken = (changes: Partial<Evidence>): string[] => [
  ...new Set(judge(evidence(changes)).violations.map(({ rule }) => rule)),
];
const batchWith = (changes: Partial<BatchEvidence>) => ({ batches: [{ ...goodBatch, ...changes }] });
const without = (...lines: readonly LedgerLine[]) =>
  goodLedger.filter((line) => !lines.some((each) => isSame(each, line)));
const isSame = (a: LedgerLine, b: LedgerLine): boolean => JSON.stringify(a) === JSON.stringify(b);
const inOrder = (...lines: readonly LedgerLine[]) => [...goodLedger, ...lines].sort((a, b) => a.at.localeCompare(b.at));

test('the judge finds nothing wrong if every promise was kept', () => {
  expect(judge(evidence()).violations).toEqual([]);
});

test('the judge sees an INVITE that was sent twice', () => {
  expect(rulesBroken({ ledger: inOrder(annsCall.invite(2)) })).toEqual(['twice']);
});

test('the judge sees a second INVITE of an attempt that the carrier had not refused', () => {
  const again = leg('call-ann', ann, 1, 2);
  expect(rulesBroken({ ledger: inOrder(again.invite(8), again.answered(9)) })).toEqual(['twice']);
});

test('the judge takes a second INVITE after a 503 for what it is', () => {
  const again = leg('call-ann', ann, 1, 2);
  const ledger = [
    ...without(annsCall.ringing(1.5), annsCall.answered(3)),
    ...[annsCall.refused(2, 503), again.invite(8), again.answered(9)],
  ];
  expect(rulesBroken({ ledger })).toEqual([]);
});

test('a cancelled call has not used up an attempt that the carrier did not take, and has one that it took', () => {
  const withEnd = (code: number, attempts: number) => {
    const ledger = [...without(annsCall.ringing(1.5), annsCall.answered(3)), annsCall.refused(2, code)];
    const records = [record('call-ann', ann, attempts, 'cancelled'), record('call-bob', bob, 2)];
    const counts = { answered: 1, cancelled: 1 };
    const end = { ...goodEnd, records, counts, status: 'cancelled', statsAttempts: attempts + 2 };
    const webhooks = [
      webhook('batchcall-started', 'whd_1', 'running'),
      webhook('batchcall-completed', 'whd_2', 'cancelled'),
    ];
    return rulesBroken({ ledger, webhooks, ...batchWith({ end, cancelAsked: true }) });
  };
  expect([withEnd(503, 0), withEnd(503, 1), withEnd(486, 1)]).toEqual([[], [], []]);
  expect([withEnd(486, 0), withEnd(503, 2)]).toEqual([['answers'], ['answers']]);
});

test('the judge sees a retry that was sent while the attempt before it was live', () => {
  const ledger = inOrder().map((line) => (isSame(line, bobsFirst.refused(2, 486)) ? bobsFirst.refused(5, 486) : line));
  expect(rulesBroken({ ledger })).toContain('twice');
});

test('the judge sees a number that was called for two orders', () => {
  const twin = leg('call-twin', ann);
  expect(rulesBroken({ ledger: inOrder(twin.invite(8), twin.answered(9)) })).toEqual(['twice']);
});

test('the judge sees a call that was never asked for', () => {
  const stranger = leg('call-other', '+15559999910');
  expect(rulesBroken({ ledger: inOrder(stranger.invite(8), stranger.answered(9)) })).toEqual(['stranger']);
});

test('the judge sees a recipient who was never dialed, and one who has no record', () => {
  const ledger = without(annsCall.invite(1), annsCall.ringing(1.5), annsCall.answered(3));
  const records = [record('call-ann', ann, 0, 'failed'), record('call-bob', bob, 2)];
  const end = { ...goodEnd, records, statsAttempts: 2, counts: { answered: 1, failed: 1 } };
  expect(rulesBroken({ ledger, ...batchWith({ end }) })).toEqual(['lost']);
  const lacking = { ...goodEnd, records: [record('call-bob', bob, 2)], statsAttempts: 2, counts: { answered: 1 } };
  expect(rulesBroken(batchWith({ end: lacking }))).toContain('lost');
});

test('the judge sees a retry that the plan asks for and that was not made', () => {
  const ledger = without(bobsSecond.invite(4.1), bobsSecond.answered(6));
  const records = [record('call-ann', ann, 1), record('call-bob', bob, 1, 'rejected')];
  const end = { ...goodEnd, records, statsAttempts: 2, counts: { answered: 1, rejected: 1 } };
  expect(rulesBroken({ ledger, ...batchWith({ end }) })).toEqual(['lost']);
});

test('an attempt that was hung up when nobody knew that its INVITE had never left counts; without a hang-up none does', () => {
  const fenced = { ...annsCall.invite(2), event: 'fenced' as const };
  const ledger = [...without(annsCall.invite(1), annsCall.ringing(1.5), annsCall.answered(3)), fenced];
  const records = [record('call-ann', ann, 1, 'cancelled'), record('call-bob', bob, 2)];
  const end = { ...goodEnd, records, counts: { answered: 1, cancelled: 1 } };
  const batches = batchWith({ end, cancelAsked: true });
  const hungUp = [{ fromMs: ms(1), untilMs: ms(2) }];
  const [account] = evidence().accounts;
  expect(rulesBroken({ ledger, ...batches, accounts: [{ ...account!, hangUps: hungUp }] })).toEqual([]);
  expect(rulesBroken({ ledger, ...batches })).toEqual(['answers']);
});

test('a call that was live when everything was hung up is not retried, and one that came long after is', () => {
  const ledger = without(bobsSecond.invite(4.1), bobsSecond.answered(6));
  const records = [record('call-ann', ann, 1), record('call-bob', bob, 1, 'rejected')];
  const end = { ...goodEnd, records, statsAttempts: 2, counts: { answered: 1, rejected: 1 } };
  const hungUpAt = (seconds: number) => ({
    accounts: [
      {
        ...{ account: 'acc_1', gatewayIds: [gatewayId], bans: [], optOuts: new Map(), ...unlimited },
        hangUps: [{ fromMs: ms(seconds), untilMs: ms(seconds + 1) }],
      },
    ],
  });
  expect(rulesBroken({ ledger, ...batchWith({ end }), ...hungUpAt(1.5) })).toEqual([]);
  // Its INVITE was on the road to the carrier.
  expect(rulesBroken({ ledger, ...batchWith({ end }), ...hungUpAt(-1) })).toEqual([]);
  expect(rulesBroken({ ledger, ...batchWith({ end }), ...hungUpAt(-60) })).toEqual(['lost']);
  expect(rulesBroken({ ledger, ...batchWith({ end }), ...hungUpAt(90) })).toEqual(['lost']);
});

test('a number that was on the do-not-call list when the file was read has no record', () => {
  const ledger = without(annsCall.invite(1), annsCall.ringing(1.5), annsCall.answered(3));
  const counted = { recordsUploaded: 1, statsTotal: 1, statsAttempts: 2, counts: { answered: 1 } };
  const end = { ...goodEnd, ...counted, records: [record('call-bob', bob, 2)] };
  const webhooks = goodWebhooks.map((each) => ({ ...each, recordsUploaded: 1 }));
  const listed = new Map([[ann, { why: 'do-not-call' as const, fromMs: ms(0), untilMs: Infinity }]]);
  const accounts = [
    { account: 'acc_1', gatewayIds: [gatewayId], bans: [], hangUps: [], optOuts: listed, ...unlimited },
  ];
  expect(rulesBroken({ ledger, webhooks, accounts, ...batchWith({ end }) })).toEqual([]);
  expect(rulesBroken({ ledger, webhooks, ...batchWith({ end }) })).toContain('lost');
});

test('the judge sees a retry beyond the plan, one too early, and one after an attempt that never was', () => {
  expect(rulesBroken(batchWith({ retry: only(null) }))).toEqual(['plan']);
  expect(rulesBroken(batchWith({ retry: only({ retryOn: ['missed'], retryDelays: [2] }) }))).toEqual(['plan']);
  expect(rulesBroken(batchWith({ retry: only({ retryOn: ['rejected'], retryDelays: [9] }) }))).toEqual(['plan']);
  const third = leg('call-bob', bob, 3);
  const ledger = inOrder(third.invite(8), third.answered(9));
  expect(rulesBroken({ ledger })).toContain('plan');
});

test('a plan that was changed while it was in use allows what either of the two allows', () => {
  const before: Version<null> = { value: null, askedAtMs: 0, answeredAtMs: 0, ghostUntilMs: 0 };
  const after = {
    value: { retryOn: ['rejected'], retryDelays: [2] },
    askedAtMs: ms(2.5),
    answeredAtMs: ms(3),
    ghostUntilMs: 0,
  };
  expect(rulesBroken(batchWith({ retry: [before, after] }))).toEqual([]);
});

test.each(['cancel', 'pause'] as const)('the judge sees a call that was dialed after an answered %s', (why) => {
  const end = { ...goodEnd, status: why === 'cancel' ? 'cancelled' : 'completed' };
  const webhooks = goodWebhooks.map((each) => (each.webhookId === 'whd_2' ? { ...each, status: end.status } : each));
  const given = (fromSeconds: number, untilMs: number) => ({
    webhooks,
    ...batchWith({ bans: [{ why, fromMs: ms(fromSeconds), untilMs }], cancelAsked: why === 'cancel', end }),
  });
  expect(rulesBroken(given(1.3, Infinity))).toEqual([why]);
  // What had passed the gate may arrive a moment later, and what was dialed after a resume was asked for is in order.
  expect(rulesBroken(given(3.9, Infinity))).toEqual([]);
  expect(rulesBroken(given(1.3, ms(4)))).toEqual([]);
  expect(rulesBroken({ ...given(1.3, Infinity), roadHeld: [{ fromMs: ms(1), untilMs: ms(4) }] })).toEqual([]);
  expect(rulesBroken({ ...given(1.3, Infinity), roadHeld: [{ fromMs: ms(5), untilMs: ms(9) }] })).toEqual([why]);
});

test('the judge sees a call that was dialed after an answered stop-dialing or opt-out', () => {
  const ban = { fromMs: ms(1.3), untilMs: Infinity } as const;
  const account = {
    account: 'acc_1',
    gatewayIds: [gatewayId],
    bans: [],
    hangUps: [],
    optOuts: new Map(),
    ...unlimited,
  };
  const stopped = { ...account, bans: [{ ...ban, why: 'stop-dialing' as const }] };
  expect(rulesBroken({ accounts: [stopped] })).toEqual(['stop-dialing']);
  const listed = { ...account, optOuts: new Map([[bob, { ...ban, why: 'do-not-call' as const }]]) };
  expect(rulesBroken({ accounts: [listed] })).toEqual(['do-not-call']);
});

test('the judge sees a call outside the window, and one before the start', () => {
  const hours = (opens: string, until: string) => only([{ from: opens, until, timezone: 'Asia/Kathmandu' }]);
  expect(rulesBroken(batchWith({ window: hours('17:45', '17:46') }))).toEqual([]);
  expect(rulesBroken(batchWith({ window: hours('17:46', '23:00') }))).toEqual(['window']);
  const justClosed = batchWith({ window: hours('22:00', '17:45') });
  expect(rulesBroken(justClosed)).toEqual(['window']);
  expect(rulesBroken({ ...justClosed, roadHeld: [{ fromMs: ms(0), untilMs: ms(4) }] })).toEqual([]);
  expect(rulesBroken(batchWith({ window: hours('22:00', '17:44') }))).toEqual(['window']);
  expect(rulesBroken(batchWith({ startsAtMs: ms(1.1) }))).toEqual(['start']);
});

test('the judge sees more live calls than a batch allows, and what the carrier counts as a broken limit', () => {
  expect(rulesBroken(batchWith({ mostAtOnce: only(1) }))).toEqual(['batch-concurrency']);
  expect(rulesBroken({ ledger: inOrder(annsCall.limit(1.01, 'channels')) })).toEqual(['concurrency']);
  expect(rulesBroken({ ledger: inOrder(annsCall.limit(1.01, 'calls_per_second')) })).toEqual(['rate']);
  const held = {
    ledger: inOrder(annsCall.limit(1.01, 'calls_per_second')),
    paceHeld: [{ fromMs: ms(0), untilMs: ms(1) }],
  };
  expect(judge(evidence(held))).toMatchObject({ violations: [], ratesExcused: 1 });
});

test('the judge sees a webhook that is missing, one too many, and one that is not signed', () => {
  expect(rulesBroken({ webhooks: goodWebhooks.slice(0, 1) })).toEqual(['webhook']);
  expect(rulesBroken({ webhooks: [...goodWebhooks, webhook('batchcall-completed', 'whd_3')] })).toEqual(['webhook']);
  expect(rulesBroken({ webhooks: goodWebhooks.map((each) => ({ ...each, verified: false })) })).toEqual(['webhook']);
  // The same webhook delivered twice is one.
  expect(rulesBroken({ webhooks: [...goodWebhooks, webhook('batchcall-completed', 'whd_2')] })).toEqual([]);
});

test('the judge sees counters that do not add up and answers that are not what the ledger tells', () => {
  const ends = (changes: Partial<BatchAnswer>) => batchWith({ end: { ...goodEnd, ...changes } });
  expect(rulesBroken(ends({ statsTotal: 3 }))).toEqual(['counters']);
  expect(rulesBroken(ends({ statsAttempts: 2 }))).toEqual(['counters']);
  expect(rulesBroken(ends({ counts: { answered: 1, failed: 1, cancelled: 0 } }))).toEqual(['counters']);
  const wrong = [record('call-ann', ann, 1, 'missed'), record('call-bob', bob, 2)];
  expect(rulesBroken(ends({ records: wrong, counts: { answered: 1, missed: 1 } }))).toEqual(['answers']);
});

test('the judge sees a batch that never ends, and one that was cancelled unasked', () => {
  expect(rulesBroken(batchWith({ end: 'stuck' }))).toEqual(['stuck']);
  const end = { ...goodEnd, status: 'cancelled' };
  const webhooks = goodWebhooks.map((each) => ({ ...each, status: 'cancelled' }));
  expect(rulesBroken({ webhooks, ...batchWith({ end }) })).toEqual(['end']);
});

test('a batch that was cancelled while its file was read has no records, and no number of it may have been dialed', () => {
  const counted = { completedAtMs: ms(0), stoppedBy: undefined, statsTotal: 0, statsAttempts: 0 };
  const end = { ...counted, status: 'cancelled', recordsUploaded: 0, counts: {}, cost: 0, records: [] };
  const webhooks = [{ ...webhook('batchcall-completed', 'whd_2', 'cancelled'), recordsUploaded: 0 }];
  const cancelled = { webhooks, ...batchWith({ end, cancelAsked: true }) };
  expect(rulesBroken({ ...cancelled, ledger: [] })).toEqual([]);
  expect(rulesBroken(cancelled)).toEqual(['cancel']);
  expect(rulesBroken({ ...cancelled, ledger: [], ...batchWith({ end }) })).toContain('lost');
});

test('the judge sees a single call that was dialed twice or not at all', () => {
  const single = { account: 'acc_1', callId: 'call-cy', number: '+15550000297' };
  const end = { callId: 'call-cy', phoneNumber: single.number, status: 'ended', reason: undefined, attempts: 1 };
  const call = leg('call-cy', single.number);
  const ledger = inOrder(call.invite(8), call.answered(9));
  expect(rulesBroken({ ledger, singles: [{ ...single, end }] })).toEqual([]);
  expect(rulesBroken({ ledger, singles: [{ ...single, end: { ...end, status: 'failed' } }] })).toEqual(['answers']);
  expect(
    rulesBroken({ ledger: inOrder(call.invite(8), call.invite(8.5), call.answered(9)), singles: [{ ...single, end }] }),
  ).toEqual(['twice']);
  expect(rulesBroken({ singles: [{ ...single, end: { ...end, status: 'failed', reason: 'unknown' } }] })).toEqual([
    'lost',
  ]);
  expect(rulesBroken({ singles: [{ ...single, end: { ...end, status: 'failed', reason: 'expired' } }] })).toEqual([]);
});

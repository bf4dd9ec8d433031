import { expect, test } from 'vitest';
import type { LedgerLine } from '../../../telephony/simulator/ledger.js';
import type {
  BatchAnswer,
  BatchEvidence,
  CallOrder,
  Evidence,
  RecordAnswer,
  Version,
  Wishes,
} from '../../soak/judge/evidence.js';
import { judge } from '../../soak/judge/judge.js';

const startMs = Date.parse('2026-11-23T12:00:00.000Z');
const ms = (seconds: number): number => startMs + seconds * 1000;

const gatewayId = 'gwo_1';
const from = '+15550100001';
const ann = '+15550000010';
const bob = '+15550000121';

const leg = (callId: string, to: string, attempt: number, fromSeconds: number, untilSeconds: number): LedgerLine[] => {
  const shared = { callId, to, from, attempt, invite: 1, gatewayId, simulated: true } as const;
  const at = (seconds: number) => new Date(ms(seconds)).toISOString();
  return [
    { ...shared, at: at(fromSeconds), event: 'invite' },
    { ...shared, at: at(untilSeconds), event: 'ended', how: 'ended', sipStatusCode: 200 },
  ];
};
const anns = leg('call-ann', ann, 1, 1, 2);
const annsSecond = leg('call-ann', ann, 2, 20, 21);
const bobs = leg('call-bob', bob, 1, 5, 6);

const only = <T>(value: T): Version<T>[] => [{ value, askedAtMs: 0, answeredAtMs: 0, ghostUntilMs: 0 }];

const record = (
  callId: string,
  phoneNumber: string,
  attempts: number,
  status = 'answered',
  reason?: string,
): RecordAnswer => ({ ...{ callId, phoneNumber, status, reason, attempts } });

const endOf = (...records: readonly RecordAnswer[]): BatchAnswer => {
  const counts: Record<string, number> = {};
  for (const { status } of records) counts[status] = (counts[status] ?? 0) + 1;
  const statsAttempts = records.reduce((sum, { attempts }) => sum + attempts, 0);
  return {
    ...{
      status: 'completed',
      completedAtMs: ms(60),
      stoppedBy: undefined,
      recordsUploaded: records.length,
      counts,
      records,
    },
    ...{ cost: 0, statsTotal: records.length, statsAttempts },
  };
};

/** Ann was in the batch from the start; Bob was added, and both were called once. */
const good: BatchEvidence = {
  ...{ account: 'acc_1', batchId: 'batch_1', numbers: [ann, bob], uploaded: 1, startsAtMs: undefined },
  ...{
    callers: { numbers: [from], onRetry: 'same' },
    stopAfterAnswered: only(null),
    stopAt: only(null),
    maxCost: only(null),
    stopSeenMs: Infinity,
  },
  ...{ stopAfterSuccess: only(null), successesSeen: [], priority: 5, contest: undefined },
  ...{ retry: only(null), window: only(null), mostAtOnce: only(null), open: only(false) },
  ...{ bans: [], cancelAsked: false, doubtful: new Set(), skips: new Map(), wishes: new Map(), orders: [] },
  end: endOf(record('call-ann', ann, 1), record('call-bob', bob, 1)),
};

/** The rules that the judge finds broken. */
function broken(changes: Partial<BatchEvidence>, ledger: readonly LedgerLine[] = [...anns, ...bobs]): string[] {
  const batch = { ...good, ...changes };
  const { status, recordsUploaded } = batch.end as BatchAnswer;
  const told = { batchId: 'batch_1', recordsUploaded, verified: true };
  const evidence: Evidence = {
    ledger: [...ledger].sort((a, b) => a.at.localeCompare(b.at)),
    accounts: [
      {
        account: 'acc_1',
        gatewayIds: [gatewayId],
        bans: [],
        hangUps: [],
        optOuts: new Map(),
        reserved: only(0),
        numbers: [],
      },
    ],
    batches: [batch],
    webhooks: [
      { ...told, webhookId: 'whd_1', event: 'batchcall-started', status: 'running' },
      { ...told, webhookId: 'whd_2', event: 'batchcall-completed', status },
    ],
    ...{ singles: [], lines: 30, roadHeld: [], paceHeld: [], over: true },
  };
  return [...new Set(judge(evidence).violations.map(({ rule }) => rule))];
}

const order = (kind: CallOrder['kind'], askedSeconds: number, dueSeconds = askedSeconds): CallOrder => ({
  ...{ kind, number: ann, dueMs: ms(dueSeconds), askedAtMs: ms(askedSeconds), answeredAtMs: ms(askedSeconds + 0.5) },
});
const unanswered = (given: CallOrder): CallOrder => ({ ...given, answeredAtMs: Infinity });
const twice = { end: endOf(record('call-ann', ann, 2), record('call-bob', bob, 1)) };

test('the judge finds nothing wrong where those who were added were called', () => {
  expect(broken({})).toEqual([]);
});

test('the judge sees who was added and has no record, unless the request was not answered with 200', () => {
  const end = endOf(record('call-ann', ann, 1));
  expect(broken({ end }, anns)).toContain('lost');
  expect(broken({ end, doubtful: new Set([bob]) }, anns)).toEqual([]);
  // It was carried out nevertheless, and then it counts.
  expect(broken({ doubtful: new Set([bob]) })).toEqual([]);
  expect(broken({ doubtful: new Set([bob]) }, anns)).toContain('lost');
});

test('of a batch that was cancelled while its file was read, those who were added have records', () => {
  const end = { ...endOf(record('call-bob', bob, 0, 'cancelled')), status: 'cancelled' };
  expect(broken({ end, cancelAsked: true }, [])).toEqual([]);
  expect(broken({ end, cancelAsked: true }, anns)).toContain('cancel');
});

test('the judge sees a call after an answered skip, and who was skipped and is not', () => {
  const skips = (fromSeconds: number, untilMs = Infinity) => ({
    skips: new Map([[bob, { why: 'skip' as const, fromMs: ms(fromSeconds), untilMs }]]),
  });
  const end = endOf(record('call-ann', ann, 1), record('call-bob', bob, 0, 'cancelled', 'skipped'));
  expect(broken({ ...skips(1), end }, anns)).toEqual([]);
  expect(broken({ end }, anns)).toEqual(['lost']);
  expect(broken(skips(1))).toEqual(['skip', 'orders']);
  // Called again after it was skipped.
  expect(broken(skips(1, ms(3)))).toEqual([]);
  // The request was never answered with 200.
  expect(broken(skips(Infinity))).toEqual([]);
});

test('the judge sees a call before a notBefore that was in force', () => {
  const wishes = (...versions: Version<Wishes>[]) => ({ wishes: new Map([[bob, versions]]) });
  const version = (notBeforeSeconds: number | null, askedSeconds: number): Version<Wishes> => ({
    value: { notBeforeMs: notBeforeSeconds === null ? null : ms(notBeforeSeconds), priority: 3, name: 'Bob' },
    ...{ askedAtMs: ms(askedSeconds), answeredAtMs: ms(askedSeconds + 0.2), ghostUntilMs: 0 },
  });
  expect(broken(wishes(version(4, 0)))).toEqual([]);
  expect(broken(wishes(version(6, 0)))).toEqual(['not-before']);
  expect(broken(wishes(version(6, 0), version(4, 1)))).toEqual([]);
  expect(broken(wishes(version(null, 0), version(9, 1)))).toEqual(['not-before']);
  // Asked for when the INVITE may have left already.
  expect(broken(wishes(version(null, 0), version(9, 4)))).toEqual([]);
});

test('the judge sees a record that is not as it was last asked for', () => {
  const wished = (name: string): Wishes => ({ notBeforeMs: null, priority: null, name });
  const end = endOf({ ...record('call-ann', ann, 1), wishes: wished('New') }, record('call-bob', bob, 1));
  const old: Version<Wishes> = { value: wished('Old'), askedAtMs: 0, answeredAtMs: 0, ghostUntilMs: 0 };
  const asked = (changes: Partial<Version<Wishes>>): Version<Wishes> => ({
    ...{ value: wished('New'), askedAtMs: ms(0.1), answeredAtMs: ms(0.2), ghostUntilMs: 0, ...changes },
  });
  expect(broken({ end, wishes: new Map([[ann, [old, asked({})]]]) })).toEqual([]);
  expect(broken({ end, wishes: new Map([[ann, [old]]]) })).toEqual(['wishes']);
  expect(broken({ end, wishes: new Map([[ann, [asked({}), asked({ value: wished('Newest') })]]]) })).toEqual([
    'wishes',
  ]);
  const ghost = asked({ ghostUntilMs: ms(50) });
  expect(broken({ end, wishes: new Map([[ann, [ghost, asked({ value: wished('Newest') })]]]) })).toEqual([]);
});

test('a call again is one more attempt: not none, not two, and none without one', () => {
  const ledger = [...anns, ...bobs, ...annsSecond];
  expect(broken({ ...twice, orders: [order('again', 10)] }, ledger)).toEqual([]);
  expect(broken({ orders: [order('again', 10)] })).toEqual(['orders']);
  expect(broken({ orders: [unanswered(order('again', 10))] })).toEqual([]);
  expect(broken(twice, ledger)).toEqual(['plan']);
  const thrice = { end: endOf(record('call-ann', ann, 3), record('call-bob', bob, 1)) };
  const third = [...ledger, ...leg('call-ann', ann, 3, 30, 31)];
  expect(broken({ ...thrice, orders: [order('again', 10)] }, third)).toEqual(['plan']);
  expect(broken({ ...thrice, orders: [order('again', 10), order('again', 25)] }, third)).toEqual([]);
  expect(broken({ ...twice, orders: [order('again', 10), order('again', 25)] }, ledger)).toEqual(['orders']);
});

test('who was skipped when the carrier had refused an INVITE, and is called again, goes on in the same attempt', () => {
  const refused = anns.map((line) =>
    line.event === 'ended' ? { ...line, event: 'rejected' as const, how: 'refused', sipStatusCode: 503 } : line,
  );
  const next = leg('call-ann', ann, 1, 20, 21).map((line) => ({ ...line, invite: 2 }));
  const skips = new Map([[ann, { why: 'skip' as const, fromMs: ms(4), untilMs: ms(10) }]]);
  const ledger = [...refused, ...bobs, ...next];
  expect(broken({ skips, orders: [order('again', 10)] }, ledger)).toEqual([]);
  expect(broken({ skips, orders: [order('again', 10), order('again', 25)] }, ledger)).toEqual(['orders']);
  // What was ordered before the skip is not missed.
  expect(broken({ skips, orders: [order('again', 3), order('callback', 3), order('again', 10)] }, ledger)).toEqual([]);
  // Without a skip it is the same INVITE, sent again for another reason than the order.
  expect(broken({ orders: [order('again', 10)] }, ledger)).toEqual(['orders']);
});

test('no plan retries an attempt that an order asked for', () => {
  const retry = only({ retryOn: ['rejected'], retryDelays: [1, 1] });
  const busy = annsSecond.map((line) =>
    line.event === 'ended' ? { ...line, how: 'refused', sipStatusCode: 486 } : line,
  );
  const ledger = [...anns, ...bobs, ...busy, ...leg('call-ann', ann, 3, 30, 31)];
  const end = endOf(record('call-ann', ann, 3), record('call-bob', bob, 1));
  expect(broken({ end, retry, orders: [order('again', 10)] }, ledger)).toEqual(['plan']);
  const over = endOf(record('call-ann', ann, 2, 'rejected'), record('call-bob', bob, 1));
  expect(broken({ end: over, retry, orders: [order('again', 10)] }, [...anns, ...bobs, ...busy])).toEqual([]);
});

test('a callback is kept, at its time and not before, however often it was moved', () => {
  const ledger = [...anns, ...bobs, ...annsSecond];
  // Its first INVITE may not have come to the carrier.
  const secondInvite = annsSecond.map((line) => ({ ...line, invite: 2 }));
  expect(broken({ ...twice, orders: [order('callback', 5, 20)] }, [...anns, ...bobs, ...secondInvite])).toEqual([]);
  expect(broken({ ...twice, orders: [order('callback', 5, 20)] }, ledger)).toEqual([]);
  expect(broken({ ...twice, orders: [order('callback', 5, 25)] }, ledger)).toEqual(['plan', 'callback', 'orders']);
  expect(broken({ orders: [order('callback', 5, 20)] })).toEqual(['orders']);
  expect(broken({ ...twice, orders: [order('callback', 5, 40), order('callback', 8, 15)] }, ledger)).toEqual([]);
  // Two promises for one attempt are one call.
  const third = [...ledger, ...leg('call-ann', ann, 3, 30, 31)];
  const thrice = { end: endOf(record('call-ann', ann, 3), record('call-bob', bob, 1)) };
  expect(broken({ ...thrice, orders: [order('callback', 5, 40), order('callback', 8, 15)] }, third)).toEqual(['plan']);
});

test('the judge sees an open batch that completes, and a call after the end', () => {
  const opened = (closedSeconds: number): Version<boolean>[] => [
    ...only(true),
    { value: false, askedAtMs: ms(closedSeconds), answeredAtMs: ms(closedSeconds + 0.5), ghostUntilMs: 0 },
  ];
  expect(broken({ open: only(true) })).toEqual(['completed']);
  expect(broken({ open: opened(50) })).toEqual([]);
  expect(broken({ open: opened(61) })).toEqual(['completed']);
  const end = endOf(record('call-ann', ann, 1), record('call-bob', bob, 1));
  expect(broken({ end: { ...end, completedAtMs: ms(2) } })).toEqual(['completed']);
});

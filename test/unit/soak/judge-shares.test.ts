import { expect, test } from 'vitest';
import type { BatchEvidence, Version } from '../../soak/judge/evidence.js';
import type { Leg } from '../../soak/judge/legs.js';
import { sharedByWeight } from '../../soak/judge/shares.js';
import { afterSuccesses, stopNotMeant } from '../../soak/judge/stops.js';

const only = <T>(value: T): Version<T>[] => [{ value, askedAtMs: 0, answeredAtMs: 0, ghostUntilMs: 0 }];

const batch = (batchId: string, changes: Partial<BatchEvidence> = {}): BatchEvidence => ({
  ...{ account: 'acc_1', batchId, numbers: [], uploaded: 200, startsAtMs: undefined, end: undefined },
  ...{ retry: only(null), window: only(null), mostAtOnce: only(null), bans: [], cancelAsked: false, open: only(false) },
  ...{ doubtful: new Set(), orders: [], skips: new Map(), wishes: new Map() },
  ...{ callers: { numbers: ['+15550100001'], onRetry: 'same' }, stopAt: only(null), maxCost: only(null) },
  ...{ stopAfterAnswered: only(null), stopAfterSuccess: only(null), successesSeen: [], stopSeenMs: Infinity },
  ...{ priority: 5, contest: 'contest 1' },
  ...changes,
});

const leg = (id: string, place: number, atMs: number): Leg => ({
  ...{ callId: `${id}-${place}`, to: `${id}-${place}`, attempt: 1, invite: 1, from: '+15550100001', gatewayId: 'gw_1' },
  ...{ atMs, answeredAtMs: undefined, end: undefined },
});

/** Calls of two batches in turns, of which the first gets so many of ten. */
function inTurns(ofTen: number, calls: number): ReadonlyMap<string, Leg[]> {
  const places = { heavy: 0, light: 0 };
  const legs = new Map<string, Leg[]>([
    ['heavy', []],
    ['light', []],
  ]);
  for (let turn = 0; turn < calls; turn += 1) {
    const id = turn % 10 < ofTen ? 'heavy' : 'light';
    legs.get(id)?.push(leg(id, places[id]++, turn * 100));
  }
  return legs;
}

const heavy = batch('heavy', { priority: 1 });
const light = batch('light', { priority: 9 });

test('the judge finds nothing if two batches share a gateway by weight', () => {
  const { violations, mostAhead } = sharedByWeight([heavy, light], inTurns(9, 180));
  expect(violations).toEqual([]);
  expect(mostAhead).toBeLessThan(3);
});

test('the judge sees a batch that gets as many calls as one of nine times its weight that waits', () => {
  const { violations } = sharedByWeight([heavy, light], inTurns(5, 160));
  expect(violations).toMatchObject([
    { rule: 'shares', what: expect.stringContaining('light of weight 1 was') as string, about: ['light', 'heavy'] },
  ]);
});

test('a batch may have all calls once the other has nobody left who waits', () => {
  const after = Array.from({ length: 150 }, (_none, place) => leg('light', 100 + place, 60_000 + place * 100));
  const calls = inTurns(9, 222);
  const all = new Map([...calls, ['light', [...(calls.get('light') ?? []), ...after]] as const]);
  expect(sharedByWeight([batch('heavy', { priority: 1, uploaded: 200 }), light], all).violations).toEqual([]);
});

test('batches that nothing but priorities tells apart are judged, and no others', () => {
  const apart = [
    batch('heavy', { priority: 1, contest: undefined }),
    batch('light', { priority: 9, contest: undefined }),
  ];
  expect(sharedByWeight(apart, inTurns(1, 160))).toEqual({ violations: [], mostAhead: 0 });
});

test('the judge sees a call long after the API has told of as many successes as its batch stops after', () => {
  const stops = batch('b', {
    stopAfterSuccess: only(2),
    successesSeen: [1, 2].map((count) => ({ count, atMs: count * 1_000 })),
  });
  const broken = (atMs: number, held = [{ fromMs: 0, untilMs: 0 }]) =>
    afterSuccesses(stops, [leg('b', 1, atMs)], held).map(({ rule }) => rule);
  expect(broken(4_000)).toEqual([]);
  expect(broken(9_000)).toEqual(['stop']);
  expect(broken(9_000, [{ fromMs: 3_000, untilMs: 8_000 }])).toEqual([]);
});

test('the judge sees a stop by successes that there are not', () => {
  const record = (success: boolean) => ({
    ...{ callId: 'c', phoneNumber: '+1', status: 'answered', reason: undefined, attempts: 1, success },
  });
  const end = (...successes: boolean[]) => ({
    ...{ status: 'completed', completedAtMs: 1, stoppedBy: 'success', recordsUploaded: 1, counts: {}, cost: 0 },
    ...{ statsTotal: 1, statsAttempts: 1, records: successes.map(record) },
  });
  const stops = batch('b', { stopAfterSuccess: only(2) });
  expect(stopNotMeant(stops, end(true, true), [])).toEqual([]);
  expect(stopNotMeant(stops, end(true, false), [])).toEqual([expect.stringContaining('stopped after 1 successes')]);
  expect(stopNotMeant(batch('b'), end(true, true), [])).toHaveLength(1);
});

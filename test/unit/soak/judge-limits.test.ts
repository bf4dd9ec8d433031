import { expect, test } from 'vitest';
import type { LedgerLine } from '../../../telephony/simulator/ledger.js';
import type {
  AccountEvidence,
  BatchAnswer,
  BatchEvidence,
  Evidence,
  NumberEvidence,
  RecordAnswer,
  Version,
  Window,
} from '../../soak/judge/evidence.js';
import { judge } from '../../soak/judge/judge.js';

const startMs = Date.parse('2026-11-25T12:00:00.000Z');
const ms = (seconds: number): number => startMs + seconds * 1000;
const at = (seconds: number): string => new Date(ms(seconds)).toISOString();

const gatewayId = 'gwo_1';
const [east, west, north] = ['+12125550101', '+14155550101', '+13125550101'];
const person = (place: number): string => `+155500000${place}10`;

interface LegPlan {
  readonly place: number;
  readonly from?: string;
  readonly attempt?: number;
  /** Omitted: the callee was busy. */
  readonly answeredAt?: number;
  readonly end?: 'announcement' | 'voicemail';
}

/** A call to the person of this place, in seconds. */
function leg(
  startsAt: number,
  endsAt: number,
  { place, from = east, attempt = 1, answeredAt, end }: LegPlan,
): LedgerLine[] {
  const shared = {
    callId: `call-${place}`,
    to: person(place),
    from,
    attempt,
    invite: 1,
    gatewayId,
    simulated: true,
  } as const;
  const ended: Partial<LedgerLine> =
    answeredAt === undefined
      ? { event: 'rejected', how: 'refused', sipStatusCode: 486 }
      : { event: 'ended', how: 'ended', sipStatusCode: 200, ...(end ? { answeredBy: 'machine', reason: end } : {}) };
  return [
    { ...shared, at: at(startsAt), event: 'invite' },
    ...(answeredAt === undefined ? [] : [{ ...shared, at: at(answeredAt), event: 'answered' } as const]),
    { ...shared, at: at(endsAt), event: 'ended', ...ended },
  ];
}
const answered = (place: number, startsAt: number, from = east) =>
  leg(startsAt, startsAt + 4, { place, from, answeredAt: startsAt + 1 });

const only = <T>(value: T): Version<T>[] => [{ value, askedAtMs: 0, answeredAtMs: 0, ghostUntilMs: 0 }];
const from = <T>(seconds: number, value: T): Version<T> => ({
  ...{ value, askedAtMs: ms(seconds), answeredAtMs: ms(seconds), ghostUntilMs: 0 },
});

const batch: BatchEvidence = {
  ...{ account: 'acc_1', batchId: 'batch_1', numbers: [0, 1, 2, 3, 4].map(person), uploaded: 5, startsAtMs: undefined },
  ...{ retry: only({ retryOn: ['rejected'], retryDelays: [1, 1] }), window: only(null), mostAtOnce: only(null) },
  ...{ open: only(false), bans: [], cancelAsked: false, doubtful: new Set(), skips: new Map(), wishes: new Map() },
  ...{ orders: [], callers: { numbers: [east, west, north], onRetry: 'same' }, end: undefined },
  ...{ stopAfterAnswered: only(null), stopAt: only(null), maxCost: only(null), stopSeenMs: Infinity },
  ...{ stopAfterSuccess: only(null), successesSeen: [], priority: 5, contest: undefined },
};

const number = (e164: string, changes: Partial<NumberEvidence> = {}): NumberEvidence => ({
  ...{ e164, timezone: 'America/New_York', mostPerDay: only(null), secondsBetween: only(null), count: undefined },
  ...changes,
});
const account = (changes: Partial<AccountEvidence>): AccountEvidence => ({
  ...{ account: 'acc_1', gatewayIds: [gatewayId], bans: [], hangUps: [], optOuts: new Map() },
  ...{ reserved: only(0), numbers: [], ...changes },
});

interface Told extends Partial<BatchEvidence> {
  readonly ledger: readonly LedgerLine[][];
  readonly owner?: Partial<AccountEvidence>;
  readonly rest?: Partial<Evidence>;
}

/** The rules that the judge finds broken. */
function broken({ ledger, owner = {}, rest = {}, ...changes }: Told): string[] {
  const evidence: Evidence = {
    ledger: ledger.flat().sort((a, b) => a.at.localeCompare(b.at)),
    ...{ accounts: [account(owner)], batches: [{ ...batch, ...changes }], singles: [], webhooks: [] },
    ...{ lines: 4, roadHeld: [], paceHeld: [], over: false, ...rest },
  };
  return [...new Set(judge(evidence).violations.map(({ rule }) => rule))];
}

test('the judge sees a number that calls more often than it may on its day', () => {
  const ledger = [answered(0, 1), answered(1, 2), answered(2, 3)];
  const may = (most: number) => ({ numbers: [number(east, { mostPerDay: only(most) })] });
  expect(broken({ ledger, owner: may(3) })).toEqual([]);
  expect(broken({ ledger, owner: may(2) })).toEqual(['number-day']);
  // Another number's calls, and those before its midnight, are not its calls of this day.
  expect(broken({ ledger: [answered(0, 1), answered(1, 2), answered(2, 3, west)], owner: may(2) })).toEqual([]);
  const midnightInNewYork = 17 * 3600;
  const night = [answered(0, 1), answered(1, 2), answered(2, midnightInNewYork + 30)];
  expect(broken({ ledger: night, owner: may(2) })).toEqual([]);
});

test('the judge goes by the limit of a number that was in force', () => {
  const ledger = [answered(0, 1), answered(1, 20), answered(2, 40)];
  const raised = { numbers: [number(east, { mostPerDay: [...only(2), from(30, 3)] })] };
  const lowered = { numbers: [number(east, { mostPerDay: [...only(3), from(30, 2)] })] };
  expect([broken({ ledger, owner: raised }), broken({ ledger, owner: lowered })]).toEqual([[], ['number-day']]);
});

test('the judge sees two calls of a number without the least time between them, and lets those be that were held up on their way', () => {
  const owner = { numbers: [number(east, { secondsBetween: only(4) })] };
  expect(broken({ ledger: [answered(0, 1), answered(1, 5)], owner })).toEqual([]);
  const tooSoon = [answered(0, 1), answered(1, 3)];
  expect(broken({ ledger: tooSoon, owner })).toEqual(['number-spacing']);
  expect(broken({ ledger: tooSoon, owner, rest: { roadHeld: [{ fromMs: ms(-3), untilMs: ms(1) }] } })).toEqual([]);
});

test('the judge sees that the API counts fewer calls of a number than the carrier', () => {
  const counted = (calls: number) => ({ numbers: [number(east, { count: { calls, askedAtMs: ms(60) } })] });
  const ledger = [answered(0, 1), answered(1, 2)];
  expect([3, 2, 1].map((calls) => broken({ ledger, owner: counted(calls) }))).toEqual([[], [], ['number-count']]);
});

test('the judge sees a call from a number that is none of its batch', () => {
  expect(broken({ ledger: [answered(0, 1, '+15550109999')] })).toEqual(['caller']);
});

test.each([
  ['same', east, []],
  ['same', west, ['caller']],
  ['other', west, []],
  ['other', east, ['caller']],
] as const)('the judge knows from which number a retry is to be made: %s, then %s', (onRetry, second, rules) => {
  const ledger = [leg(1, 2, { place: 0 }), leg(4, 8, { place: 0, attempt: 2, from: second, answeredAt: 5 })];
  const callers = { numbers: [east, west, north], onRetry };
  const numbers = [east, west, north].map((e164) => number(e164));
  expect(broken({ ledger, callers, owner: { numbers } })).toEqual(rules);
});

test('a retry may be made from another number if the one before may have no call left today', () => {
  const ledger = [leg(1, 2, { place: 0 }), leg(4, 8, { place: 0, attempt: 2, from: west, answeredAt: 5 })];
  expect(broken({ ledger, owner: { numbers: [number(east, { mostPerDay: only(9) }), number(west)] } })).toEqual([]);
});

test('the judge sees calls of batches on lines that are reserved, and goes by the reserve that was in force', () => {
  const ledger = [answered(0, 1), answered(1, 2), answered(2, 3)];
  const reserved = (count: number) => broken({ ledger, owner: { reserved: only(count) } });
  expect([reserved(1), reserved(2)]).toEqual([[], ['reserved']]);
  const late = [answered(0, 21), answered(1, 22), answered(2, 23)];
  expect(broken({ ledger: late, owner: { reserved: [...only(0), from(20, 2)] } })).toEqual([]);
  expect(broken({ ledger: late, owner: { reserved: [...only(0), from(10, 2)] } })).toEqual(['reserved']);
  // The dialer was cut off from the database meanwhile: it has claimed before.
  const rest = { paceHeld: [{ fromMs: ms(11), untilMs: ms(20.5) }] };
  expect(broken({ ledger: late, owner: { reserved: [...only(0), from(10, 2)] }, rest })).toEqual([]);
});

test('the judge sees a call at an instant at which its batch had stopped', () => {
  const until = (seconds: number) => broken({ ledger: [answered(0, 10)], stopAt: only(ms(seconds)) });
  expect([until(11), until(9.5), until(8)]).toEqual([[], [], ['stop']]);
  const held = { roadHeld: [{ fromMs: ms(7), untilMs: ms(10) }] };
  expect(broken({ ledger: [answered(0, 10)], stopAt: only(ms(8)), rest: held })).toEqual([]);
  // It was put off before it came.
  expect(broken({ ledger: [answered(0, 10)], stopAt: [...only(ms(5)), from(3, ms(30))] })).toEqual([]);
});

test('the judge sees a call of a batch that the API had called stopped', () => {
  const seen = (seconds: number) => broken({ ledger: [answered(0, 10)], stopSeenMs: ms(seconds) });
  expect([seen(9), seen(4)]).toEqual([[], ['stop']]);
});

test('the judge sees calls long after the last answer that a batch wants, by the carrier alone', () => {
  const stopAfterAnswered = only(2);
  const late = [answered(0, 1), answered(1, 2), answered(2, 12)];
  expect(broken({ ledger: late, stopAfterAnswered })).toEqual(['stop']);
  expect(broken({ ledger: [answered(0, 1), answered(1, 2), answered(2, 5)], stopAfterAnswered })).toEqual([]);
  expect(broken({ ledger: late, stopAfterAnswered, rest: { paceHeld: [{ fromMs: ms(3), untilMs: ms(4) }] } })).toEqual(
    [],
  );
  const machine = leg(2, 6, { place: 1, answeredAt: 3, end: 'announcement' });
  expect(broken({ ledger: [answered(0, 1), machine, answered(2, 12)], stopAfterAnswered })).toEqual([]);
  expect(broken({ ledger: late, stopAfterAnswered: [...stopAfterAnswered, from(3, 5)] })).toEqual([]);
  // A mailbox has answered, but for a batch that calls again whom it has reached by one.
  const mailbox = [answered(0, 1), leg(2, 6, { place: 1, answeredAt: 3, end: 'voicemail' }), answered(2, 12)];
  const retryOn = (outcome: string) => only({ retryOn: [outcome], retryDelays: [60] });
  expect(broken({ ledger: mailbox, stopAfterAnswered, retry: retryOn('rejected') })).toEqual(['stop']);
  expect(broken({ ledger: mailbox, stopAfterAnswered, retry: retryOn('voicemail') })).toEqual([]);
});

const record = (place: number, status: string, reason?: string): RecordAnswer => ({
  ...{ callId: `call-${place}`, phoneNumber: person(place), status, reason, attempts: status === 'answered' ? 1 : 0 },
});

const stoppedEnd = (stoppedBy: string | undefined, reason: string): BatchAnswer => {
  const records = [record(0, 'answered'), record(1, 'answered'), record(2, 'cancelled', reason)];
  return {
    ...{ status: 'completed', completedAtMs: ms(30), stoppedBy, recordsUploaded: 3, records },
    ...{ counts: { answered: 2, cancelled: 1 }, cost: 2, statsTotal: 3, statsAttempts: 2 },
  };
};

test('the judge knows who may end cancelled after a stop, and sees a stop that came too soon or was not asked for', () => {
  const ledger = [answered(0, 1), answered(1, 2)];
  const numbers = [0, 1, 2].map(person);
  const ends = (end: BatchAnswer, changes: Partial<BatchEvidence> = {}) =>
    broken({ ledger, numbers, uploaded: 3, end, stopAfterAnswered: only(2), ...changes });
  const end = stoppedEnd('answered', 'stopped_after_answered');
  expect(ends(end)).toEqual([]);
  expect(ends(end, { stopAfterAnswered: only(3) })).toEqual(['stop']);
  expect(ends(end, { stopAfterAnswered: only(null) })).toEqual(['stop']);
  expect(ends(stoppedEnd('answered', 'stopped_at_until'))).toEqual(['stop']);
  expect(ends(stoppedEnd(undefined, 'stopped_after_answered'))).toContain('lost');
  expect(ends(stoppedEnd('until', 'stopped_at_until'), { stopAt: only(ms(20)) })).toEqual([]);
  expect(ends(stoppedEnd('until', 'stopped_at_until'), { stopAt: only(ms(40)) })).toEqual(['stop']);
});

test('the judge sees calls long after the end with which a batch has cost enough, by the carrier alone', () => {
  const maxCost = only(2);
  const late = [answered(0, 1), answered(1, 2), answered(2, 12)];
  expect(broken({ ledger: late, maxCost })).toEqual(['stop']);
  expect(broken({ ledger: late, maxCost: only(3) })).toEqual([]);
  // The second one talks for long.
  const talking = [answered(0, 1), leg(2, 11, { place: 1, answeredAt: 3 }), answered(2, 12)];
  expect(broken({ ledger: talking, maxCost })).toEqual([]);
  expect(broken({ ledger: late, maxCost, rest: { paceHeld: [{ fromMs: ms(6), untilMs: ms(7) }] } })).toEqual([]);
  expect(broken({ ledger: late, maxCost: [...maxCost, from(3, 5)] })).toEqual([]);
});

test('the judge sees a cost that is not that of the answered calls, and a stop at a cost that they do not have', () => {
  const ledger = [answered(0, 1), answered(1, 2)];
  const numbers = [0, 1, 2].map(person);
  const ends = (changes: Partial<BatchAnswer>, maxCost = only<number | null>(2)) => {
    const end = { ...stoppedEnd('maxCost', 'stopped_at_max_cost'), ...changes };
    return broken({ ledger, numbers, uploaded: 3, end, maxCost });
  };
  expect(ends({})).toEqual([]);
  expect([ends({ cost: 1 }), ends({ cost: 3 }), ends({ cost: undefined })]).toEqual([['cost'], ['cost'], ['cost']]);
  expect([ends({}, only(3)), ends({}, only(null))]).toEqual([['stop'], ['stop']]);
});

test('the judge sees a call on an excepted date, whichever window of the list excepts it, and after midnight by the day before', () => {
  const timezone = 'UTC';
  const list = (...windows: readonly Omit<Window, 'timezone'>[]) =>
    broken({ ledger: [answered(0, 1)], window: only(windows.map((window) => ({ ...window, timezone }))) });
  const [today, yesterday] = ['2026-11-25', '2026-11-24'];
  const noon = { from: '11:00', until: '13:00' };
  expect(list({ from: '08:00', until: '09:00' }, noon)).toEqual([]);
  expect(list({ from: '08:00', until: '09:00', except: [today] }, noon)).toEqual(['window']);
  expect(list({ ...noon, except: [yesterday] })).toEqual([]);
  const overnight = { from: '22:00', until: '13:00' };
  expect(list({ ...overnight, except: [today] })).toEqual([]);
  expect(list({ ...overnight, except: [yesterday] })).toEqual(['window']);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Hold,
  mainReasons,
  type NearCalls,
  type WaitGroup,
  type WaitingFacts,
  waitingOf,
} from '../../../domain/batch/waiting.js';
import { waitingSentence } from '../../../domain/batch/waiting-sentence.js';
import { batchStatuses } from '../../../domain/batch/batch-call.js';
import { pauseReasons, type PauseReason } from '../../../domain/batch/pause-reasons.js';
import { waitingReasons } from '../../../domain/batch/waiting-reasons.js';

const now = new Date('2026-03-02T06:00:00Z'); // Monday, midnight in Chicago
const at = (time: string) => new Date(`2026-03-02T${time}:00Z`);
const everyDay = [1, 2, 3, 4, 5, 6, 7];
const wide = {
  number_limit: Infinity,
  no_agent_slot: Infinity,
  batch_limit: Infinity,
  gateway_limit: 1_000,
  reserved: Infinity,
  gateway_rate: 1_000,
};
const facts = (change: Partial<WaitingFacts> = {}): WaitingFacts => ({
  ...{ now, status: 'running', startsAt: now, held: null, window: null, windowMoving: false, timezone: 'UTC' },
  stopped: false,
  ...{ total: 10, groups: [], near: [], dueInQueue: true },
  room: { suspended: false, probeAt: null, probes: 0, nextDialAt: null, numberFreeAt: null, limits: wide },
  ...change,
});
const limited = (limits: Partial<typeof wide>) => ({ room: { ...facts().room, limits: { ...wide, ...limits } } });
const told = (change: Partial<WaitingFacts>) =>
  waitingOf(facts(change)).map(({ reason, count, until }) => [reason, count, until?.toISOString() ?? null]);
const group = (calls: number, change: Partial<WaitGroup> = {}): WaitGroup => ({
  ...{ zones: [], hold: null, until: null, calls },
  ...change,
});

describe('of the reasons that hold one recipient', () => {
  const window = { from: '09:00', until: '20:00', daysOfWeek: everyDay, timezone: 'recipient' };

  test('the start comes before all', () => {
    expect(told({ status: 'scheduled', startsAt: at('09:00'), held: 'paused_by_user', window })).toEqual([
      ['not_started', 10, '2026-03-02T09:00:00.000Z'],
    ]);
  });

  test('what holds the whole batch comes before what holds some', () => {
    const groups = [group(4, { zones: ['America/Chicago'] })];
    expect(told({ held: 'paused_by_user', window, groups })).toEqual([['paused', 10, null]]);
    expect(told({ held: 'service_stopped', window, groups })).toEqual([['dialing_stopped', 10, null]]);
    expect(told({ status: 'cancelling', groups })).toEqual([['dialing_stopped', 10, null]]);
    expect(told({ stopped: true, window, groups })).toEqual([['dialing_stopped', 10, null]]);
  });

  test('of hours and delays the one that ends last', () => {
    const zones = ['America/Chicago'];
    const groups = [
      group(1, { zones, hold: 'retry_delay', until: at('10:00') }), // opens at 15:00 UTC
      group(2, { zones, hold: 'retry_delay', until: at('16:00') }),
      group(4, { zones }),
    ];
    expect(told({ window, groups })).toEqual([
      ['calling_window', 8, '2026-03-02T09:00:00.000Z'],
      ['retry_delay', 2, '2026-03-02T16:00:00.000Z'],
    ]);
  });

  test('a window that is open at no hour in all zones of some is counted apart from one that opens later', () => {
    const narrow = { ...window, until: '10:00' };
    const groups = [group(3, { zones: ['America/Chicago', 'Asia/Tokyo'] }), group(4, { zones: ['America/Chicago'] })];
    expect(waitingOf(facts({ window: narrow, groups }))).toMatchObject([
      { reason: 'calling_window', count: 10, until: at('09:00'), neverOpen: 3 },
    ]);
    // Neither of a zone that this machine does not know, nor while a window is being applied, is that known.
    const unknown = [group(10, { zones: ['Mars/Olympus'] })];
    expect(waitingOf(facts({ window: narrow, groups: unknown }))[0]).not.toHaveProperty('neverOpen');
    expect(waitingOf(facts({ window: narrow, groups, windowMoving: true }))[0]).not.toHaveProperty('neverOpen');
  });

  test('a hold that is over holds no one', () => {
    expect(told({ groups: [group(3, { hold: 'daily_limit', until: at('05:59') })] })).toEqual([['ready', 10, null]]);
  });

  test('a closed window comes before a gateway that is suspended, which comes before its limits', () => {
    const room = { ...limited({ gateway_limit: 0 }).room, suspended: true, probeAt: at('06:01') };
    const groups = [group(4, { zones: ['America/Chicago'] }), group(6, { zones: ['Asia/Tokyo'] })];
    expect(told({ window, groups, room, held: 'gateway_suspended' })).toEqual([
      ['calling_window', 4, '2026-03-02T15:00:00.000Z'],
      ['gateway_suspended', 6, '2026-03-02T06:01:00.000Z'],
    ]);
  });
});

test('the limits let out as many as the least of them, and the others wait for that one', () => {
  expect(told(limited({ batch_limit: 3, gateway_limit: 4 }))).toEqual([
    ['batch_limit', 7, null],
    ['ready', 3, null],
  ]);
  expect(told(limited({ gateway_limit: -2 }))).toEqual([['gateway_limit', 10, null]]);
  expect(told(limited({ gateway_limit: 3, reserved: 1 }))).toEqual([
    ['reserved', 9, null],
    ['ready', 1, null],
  ]);
  // Lines that are in use are not waited for as reserved ones.
  expect(told(limited({ gateway_limit: 0, reserved: -2 }))).toEqual([['gateway_limit', 10, null]]);
  expect(told({ room: { ...limited({ gateway_rate: 0 }).room, nextDialAt: at('06:02') } })).toEqual([
    ['gateway_rate', 10, '2026-03-02T06:02:00.000Z'],
  ]);
  expect(told({ room: { ...limited({ number_limit: 2 }).room, numberFreeAt: at('08:00') } })).toEqual([
    ['number_limit', 8, '2026-03-02T08:00:00.000Z'],
    ['ready', 2, null],
  ]);
});

test('as long as none that is due is in the queue, who could be called now waits for a worker to queue it', () => {
  expect(told({ ...limited({ gateway_limit: 4 }), dueInQueue: false })).toEqual([
    ['gateway_limit', 6, null],
    ['not_queued', 4, null],
  ]);
  const waits = waitingOf(facts({ dueInQueue: false }));
  expect(waitingSentence(waits, now)).toBe('10 wait for a worker to put them into the queue.');
  // It is so for a moment at the start of every batch: not worth telling Temporal.
  expect(mainReasons(waits, 10)).toEqual([]);
});

test('of a batch whose endpoint is asked, no more are ready than it has cleared', () => {
  const room = limited({ gateway_rate: 6 }).room;
  expect(told({ room, preDial: { cleared: 2, failingUntil: null } })).toEqual([
    ['gateway_rate', 4, now.toISOString()],
    ['pre_dial', 4, null],
    ['ready', 2, null],
  ]);
  expect(told({ room, preDial: { cleared: 9, failingUntil: null } })).toEqual(told({ room }));
});

test('while its endpoint fails, all wait for it who have not been cleared', () => {
  expect(told({ preDial: { cleared: 1, failingUntil: at('06:01') } })).toEqual([
    ['pre_dial', 9, '2026-03-02T06:01:00.000Z'],
    ['ready', 1, null],
  ]);
});

test('who is not in the queue yet waits for those ahead, if many of these wait for the guardrails', () => {
  const held = (calls: number) => ({
    total: 500,
    groups: [group(calls, { hold: 'guardrail_hours', until: at('08:00') })],
  });
  expect(told({ ...held(400), dueInQueue: false })).toEqual([['guardrail_hours', 500, '2026-03-02T08:00:00.000Z']]);
  expect(told({ ...held(400), dueInQueue: true })).toContainEqual(['ready', 100, null]);
  expect(told({ ...held(40), dueInQueue: false })).toContainEqual(['not_queued', 460, null]);
});

test('a zone that this machine does not know stops no answer', () => {
  const window = { from: '09:00', until: '20:00', daysOfWeek: everyDay, timezone: 'recipient' };
  expect(told({ window, groups: [group(10, { zones: ['Mars/Olympus'] })] })).toEqual([['calling_window', 10, null]]);
});

test('the counts add up to the total and only what a clock decides has an instant, whatever the facts', () => {
  const zones = fc.constantFrom([], ['UTC'], ['America/Chicago'], ['Asia/Tokyo', 'UTC']);
  const moment = fc.option(fc.integer({ min: -100_000, max: 100_000 }).map((ms) => new Date(now.getTime() + ms)));
  const calls = fc.nat(50);
  const groups = fc.array(
    fc.record({
      zones,
      hold: fc.constantFrom<(Hold | null)[]>(null, 'retry_delay', 'guardrail_hours', 'daily_limit'),
      until: moment,
      calls,
    }),
  );
  const near = fc.array(
    fc.record({
      zones,
      reason: fc.constantFrom<NearCalls['reason'][]>(
        'ready',
        'same_number_live',
        'gateway_rate',
        'gateway_limit',
        'number_limit',
        'retry_delay',
        'pre_dial',
      ),
      until: moment,
      calls,
    }),
  );
  const limit = fc.integer({ min: -5, max: 100 });
  const room = fc.record({
    suspended: fc.boolean(),
    probeAt: moment,
    probes: fc.nat(1),
    nextDialAt: moment,
    numberFreeAt: moment,
    limits: fc.record({
      number_limit: limit,
      no_agent_slot: limit,
      batch_limit: limit,
      gateway_limit: limit,
      reserved: limit,
      gateway_rate: limit,
    }),
  });
  fc.assert(
    fc.property(
      fc.record({
        status: fc.constantFrom(...batchStatuses),
        held: fc.constantFrom<(PauseReason | null)[]>(null, ...(Object.keys(pauseReasons) as PauseReason[])),
        window: fc.constantFrom(null, { from: '06:00', until: '08:00', daysOfWeek: everyDay, timezone: 'recipient' }),
        windowMoving: fc.boolean(),
        dueInQueue: fc.boolean(),
        total: fc.nat(300),
        ...{ groups, near, room },
      }),
      (change) => {
        const waits = waitingOf(facts(change));
        expect(waits.reduce((sum, { count }) => sum + count, 0)).toBe(change.total);
        expect(waits.every(({ count }) => count > 0)).toBe(true);
        const byEvent = waits.filter(({ reason }) => waitingReasons[reason].until === 'event');
        expect(byEvent.filter(({ until }) => until !== null)).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});

import { describe, expect, test } from 'vitest';
import type { EndReason } from '../../../domain/call/end-reasons.js';
import { legAttributes } from '../../../domain/call/disconnect.js';
import {
  isOurEnd,
  type LegEvent,
  type LegState,
  mustKnowIfRang,
  needOf,
  newLeg,
  nextLeg,
  resultOfDial,
  resultOfGone,
  untilNextLookMs,
} from '../../../telephony/livekit/leg-state.js';

const start = new Date('2026-11-21T10:00:00Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const play = (...events: readonly LegEvent[]): LegState => events.reduce(nextLeg, newLeg(true));
const found = (callStatus: string, at = start): LegEvent => ({
  type: 'found',
  attributes: { [legAttributes.callStatus]: callStatus },
  at,
});
const hungUp = (reason: EndReason): LegEvent => ({ type: 'ended_by_us', ending: { how: 'hung_up', reason } });
const nothingStored = { ringingAt: null, answeredAt: null, hangUpReason: null, disconnect: null };

describe('what is known of a leg', () => {
  test('never goes back: an answered call that LiveKit calls `dialing` or `ringing` again stays answered', () => {
    const leg = play(
      found('ringing'),
      { type: 'dial_answered', at: after(5) },
      found('dialing'),
      found('ringing', after(9)),
    );
    expect(leg).toMatchObject({ dial: 'over', ringingAt: start, answeredAt: after(5) });
  });

  test('has its answer from whichever tells it first, the dial or the room', () => {
    expect(play(found('active'), { type: 'dial_answered', at: after(3) }).answeredAt).toEqual(start);
    expect(play({ type: 'dial_answered', at: start }, found('automation', after(3))).answeredAt).toEqual(start);
  });

  test('has rung only if that was seen before the answer', () => {
    expect(play(found('active'), { type: 'ringing', at: after(1) }).ringingAt).toBeNull();
  });

  test('keeps the first reason to end it', () => {
    expect(play(hungUp('ended_by_api'), hungUp('max_duration')).ending?.reason).toBe('ended_by_api');
  });

  test('counts its absence from the first look that missed it, and from the start after it was found again', () => {
    const missing = (seconds: number): LegEvent => ({ type: 'missing', at: after(seconds) });
    expect(play(missing(1), missing(2)).goneAt).toEqual(after(1));
    expect(play(missing(1), found('active'), missing(3)).goneAt).toEqual(after(3));
  });
});

describe('a leg whose participant is there', () => {
  const maxCallMs = 60_000;
  test('is removed again and again once it is to end, whatever else is due', () => {
    const leg = play(found('active'), hungUp('ended_by_api'));
    expect(needOf(leg, maxCallMs, after(600).getTime())).toBe('removal');
  });

  test('ends when it has lasted as long as it may after the answer, and not before', () => {
    const leg = play(found('ringing'), found('active', after(30)));
    expect(needOf(leg, maxCallMs, after(89).getTime())).toBe('agent');
    expect(needOf(leg, maxCallMs, after(90).getTime())).toBe('end_of_time');
  });

  test('needs an agent from the first ringing on', () => {
    expect(needOf(play(found('dialing')), maxCallMs, start.getTime())).toBe('nothing');
    expect(needOf(play(found('ringing')), maxCallMs, start.getTime())).toBe('agent');
  });
});

test('a leg is not over before it was last seen, whatever LiveKit’s clock says', () => {
  const disconnect = { at: after(-180), callStatus: 'hangup', disconnectReason: 1, transferring: false };
  const leg = play(found('ringing'), { type: 'dial_answered', at: after(5) }, found('active', after(100)));
  const end = resultOfGone(leg, { ...nothingStored, disconnect }, after(112));
  expect(end).toMatchObject({ how: 'ended', answeredAt: after(5), at: after(100) });
});

test('a leg is looked at more often the sooner something must be done', () => {
  const timing = { pollMs: 500, truthMs: 15_000, hurryMs: 150 };
  const next = (leg: LegState, seconds = 0) => untilNextLookMs(leg, timing, 60_000, after(seconds).getTime());
  const talking = play(found('active'), { type: 'agent', here: true });
  expect(next(play(found('ringing')))).toBe(500);
  expect(next(play(found('active')))).toBe(150);
  expect(next(talking)).toBe(15_000);
  expect(next(talking, 59)).toBe(1_000);
  expect(next(talking, 70)).toBe(0);
  expect(next(nextLeg(talking, { type: 'missing', at: start }))).toBe(500);
  expect(next(nextLeg(talking, hungUp('ended_by_api')))).toBe(150);
});

describe('a dial that failed', () => {
  test('while we were hanging up is our own end, with our reason', () => {
    const leg = play(found('ringing'), hungUp('ended_by_api'));
    const failure = { how: 'refused', sipStatusCode: 487 } as const;
    expect(isOurEnd(leg, failure)).toBe(true);
    expect(resultOfDial(leg, failure, true, start)).toEqual({
      how: 'cancelled',
      rang: true,
      at: start,
      reason: 'ended_by_api',
    });
    expect(isOurEnd(leg, { how: 'refused', sipStatusCode: 486 })).toBe(false);
    expect(isOurEnd(play(found('ringing')), failure)).toBe(false);
  });

  test.each([
    ['a code that means something else if it rang', { how: 'refused', sipStatusCode: 480 }, true],
    ['a timeout', { how: 'ring_timeout' }, true],
    ['busy', { how: 'refused', sipStatusCode: 486 }, false],
    ['a fault of the gateway', { how: 'gateway_fault', words: 'no route' }, false],
  ] as const)('asks whether it rang: %s', (_what, failure, asks) => {
    expect(mustKnowIfRang(play(), failure)).toBe(asks);
    expect(mustKnowIfRang(play(found('ringing')), failure)).toBe(false);
  });
});

describe('a leg that is gone', () => {
  test('C1: is lost, and not “never placed”, if it was never seen', () => {
    expect(resultOfGone(newLeg(false), nothingStored, start)).toBeNull();
  });

  test('has lost its SIP code if it was seen and nothing else is known of it', () => {
    expect(resultOfGone(play(found('dialing')), nothingStored, after(1))).toMatchObject({
      how: 'refused',
      rang: false,
      reason: 'sip_code_lost',
    });
  });

  test('ends with the reason of who ended it: this process before what the database says', () => {
    const record = { ...nothingStored, hangUpReason: 'ended_by_api' } as const;
    const talking = play(found('active'));
    expect(resultOfGone(talking, record, after(9))).toMatchObject({ how: 'ended', reason: 'ended_by_api' });
    expect(resultOfGone(nextLeg(talking, hungUp('agent_lost')), record, after(9))).toMatchObject({
      how: 'ended',
      reason: 'agent_lost',
    });
  });

  test('was answered and met no agent, if that is why it was ended', () => {
    const ending = { how: 'agent_missing', reason: 'agent_missing' } as const;
    const leg = play(found('active'), { type: 'ended_by_us', ending });
    expect(resultOfGone(leg, nothingStored, after(9))).toMatchObject({ how: 'agent_missing', rang: true });
  });
});

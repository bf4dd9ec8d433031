import { describe, expect, test } from 'vitest';
import type { Disconnect } from '../../../domain/call/disconnect.js';
import { endOfGone, isFinal, type KnownLeg } from '../../../telephony/livekit/disconnect.js';

const at = new Date('2026-11-21T10:00:00Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);

const left = (callStatus: string, disconnectReason: number, changes: Partial<Disconnect> = {}): Disconnect => ({
  ...{ at, callStatus, disconnectReason, transferring: false },
  ...changes,
});
const known = (changes: Partial<KnownLeg>): KnownLeg => ({
  ...{ ringingAt: null, answeredAt: null, endedBecause: null, disconnect: null, seenAt: null, goneAt: later(30) },
  ...changes,
});

describe('a leg that is gone and whose SIP code is lost', () => {
  test.each([
    ['active, hung up by the callee', left('hangup', 1), { how: 'ended', reason: 'callee_hung_up' }],
    ['active, removed', left('active', 4), { how: 'ended', reason: 'agent_hung_up' }],
    ['active, its room deleted', left('active', 5), { how: 'ended', reason: 'agent_hung_up' }],
    ['active, LiveKit SIP killed', left('active', 14), { how: 'ended', reason: 'connection_lost' }],
    ['active, of no known reason', left('active', 99), { how: 'ended', reason: 'ended' }],
    ['transferred', left('hangup', 1, { transferring: true }), { how: 'ended', reason: 'transferred' }],
    ['ringing, unavailable', left('ringing', 11), { how: 'ring_timeout', rang: true }],
    ['dialing, unavailable', left('dialing', 11), { how: 'ring_timeout', rang: false }],
    ['ringing, rejected', left('ringing', 12), { how: 'declined', rang: true }],
    ['dialing, rejected', left('dialing', 12), { how: 'refused', rang: false, reason: 'sip_code_lost' }],
    ['dialing, 503', left('dialing', 1), { how: 'refused', rang: false, reason: 'sip_code_lost' }],
    ['ringing, removed', left('ringing', 4), { how: 'cancelled', rang: true, reason: 'cancelled' }],
    ['ringing, displaced', left('ringing', 2), { how: 'unknown', words: 'displaced' }],
  ] as const)('%s', (_what, disconnect, fact) => {
    expect(endOfGone(known({ disconnect }))).toMatchObject(fact);
  });

  test('is never less than what was seen of it: `dialing` after a restart of LiveKit does not undo the answer', () => {
    const end = endOfGone(known({ answeredAt: later(-60), disconnect: left('dialing', 11) }));
    expect(end).toMatchObject({ how: 'ended', rang: true, answeredAt: later(-60) });
  });

  test('that the service hung up says why', () => {
    const endedBecause = 'ended_by_api';
    expect(endOfGone(known({ endedBecause, disconnect: left('ringing', 4) }))).toMatchObject({
      ...{ how: 'cancelled', reason: 'ended_by_api' },
    });
    expect(endOfGone(known({ endedBecause, disconnect: left('active', 4) }))).toMatchObject({
      ...{ how: 'ended', reason: 'ended_by_api' },
    });
  });

  test('of which nothing is known may never have been placed', () => {
    expect(endOfGone(known({}))).toBeNull();
    expect(endOfGone(known({ endedBecause: 'ended_by_api' }))).toBeNull();
  });

  test('ended when LiveKit says so, but to the second, and never before it was answered', () => {
    expect(endOfGone(known({ disconnect: left('active', 1) }))?.at).toEqual(at);
    expect(endOfGone(known({ disconnect: left('active', 1), goneAt: later(1.2) }))?.at).toEqual(later(1.2));
    expect(endOfGone(known({ disconnect: left('active', 1), answeredAt: later(2) }))?.at).toEqual(later(2));
  });
});

test('what left while LiveKit was restarted may come back', () => {
  expect([3, 6, 8, 9].map((reason) => isFinal(left('active', reason)))).toEqual([false, false, false, false]);
  expect([1, 4, 11, 12, 14].every((reason) => isFinal(left('active', reason)))).toBe(true);
  expect(isFinal(null)).toBe(false);
});

import { expect, test } from 'vitest';
import { isReservedRoomName, liveKitRoom, roomFor, type RoomRule } from '../../../domain/call/room.js';

const call = { callId: '0198c0de-0000-7000-8000-000000000001', to: '+919877012345', from: '+14155550100' };
const dynamic = (room_prefix: string): RoomRule => ({
  ...{ room_type: 'dynamic', room_prefix, room_id: null },
  hide_phone_number: false,
});

// shows: rule.room-prefix
test.each([
  ['blank', 'call_0198c0de-0000-7000-8000-000000000001_2_3'],
  ['participantNumber', '+919877012345_call_0198c0de-0000-7000-8000-000000000001_2_3'],
  ['sipNumber', '+14155550100_call_0198c0de-0000-7000-8000-000000000001_2_3'],
])('a dynamic room with prefix %s is %s', (prefix, room) => {
  expect(roomFor(dynamic(prefix), call, 2, 3)).toBe(room);
});

test('a number that is hidden is not in the name either: such a room has a random prefix', () => {
  const random = roomFor(dynamic('random'), call, 2, 3);
  expect(roomFor(dynamic('participantNumber'), { ...call, hidesNumber: true }, 2, 3)).toBe(random);
  expect(roomFor({ ...dynamic('participantNumber'), hide_phone_number: true }, call, 2, 3)).toBe(random);
});

// shows: rule.room-prefix
test('a random prefix is the same for every invite of a call and another for another call', () => {
  const prefixOf = (room: string) => room.split('_call_')[0];
  const first = prefixOf(roomFor(dynamic('random'), call, 1, 1));
  expect(first).toMatch(/^[a-z0-9]{8}$/);
  expect(prefixOf(roomFor(dynamic('random'), call, 5, 2))).toBe(first);
  const others = Array.from({ length: 200 }, (_, index) =>
    prefixOf(roomFor(dynamic('random'), { ...call, callId: call.callId.replace(/1$/, index.toString(16)) }, 1, 1)),
  );
  expect(new Set(others).size).toBe(200);
});

test('a static room is the one that the rule names, for every call', () => {
  expect(roomFor({ ...dynamic('random'), room_type: 'static', room_id: 'front-desk' }, call, 1, 1)).toBe('front-desk');
});

const victim = 'acc_0198c0de-0000-7000-8000-00000000000a';

test.each([
  'call_0198c0de-0000-7000-8000-000000000001_1_1',
  '+919877012345_CALL_0198c0de-0000-7000-8000-000000000001_2_1',
  liveKitRoom(victim, 'support'),
  victim.toUpperCase(),
  ' playground_0198f6f0-1a2e-7d1c-9b3a-0c1d2e3f4a5b',
])('P1-2: an account cannot name a room as the service names its own: %s', (name) => {
  expect(isReservedRoomName(name)).toBe(true);
});

test.each(['support', 'call_center', 'acc_receivable', 'our-playground_1', '+14155550100', 'call_1_1'])(
  'P1-2: a name of its own stays the account’s to give: %s',
  (name) => {
    expect(isReservedRoomName(name)).toBe(false);
  },
);

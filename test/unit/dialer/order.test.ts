import { expect, test } from 'vitest';
import type { CallOptions, ClaimedAttempt } from '../../../db/queries/dialer/claim-attempts.js';
import { orderFor } from '../../../dialer/order.js';

const attempt = {
  ...{ callId: '01990000-0000-7000-8000-000000000001', attempt: 1, invite: 0, accountId: 'acc_x', batchId: null },
  ...{ toNumber: '+15550100120', fromNumber: '+15550100001', doNotCall: false, options: null },
  ...{ participant: null, gatewayId: 'gwo_x', address: 'sip.example.com', transport: 'tls', authUsername: null },
  ...{ authPasswordSealed: null, mediaEncryption: 'disable', sipRegion: 'default', fromHost: null },
  ...{ gatewayHeaders: {}, numberFormat: 'e164', ringTimeoutSeconds: 45, maxCallSeconds: 3600 },
  ...{ roomType: 'dynamic', roomPrefix: 'blank', ruleRoomId: null, ruleHeaders: { 'X-Both': 'rule' } },
  ...{ includeHeaders: 'NONE', hidePhoneNumber: false, dtmf: false, recording: false, allowedNumbers: [] },
  ...{ gatewayDtmf: false, gatewayRecord: false },
  disclosure: null,
} as unknown as ClaimedAttempt;
const orderOf = (change: Partial<ClaimedAttempt>) => orderFor({ ...attempt, ...change }, (sealed) => sealed);
const asked: CallOptions = {
  ...{ ringingTimeout: 20, maxCallDuration: 300, destinationRoomId: 'room-7', dtmf: true, hidePhoneNumber: true },
  ...{
    mediaEncryption: 'enable',
    includeHeaders: 'ALL',
    recordAudio: true,
    headers: { 'X-Own': '1', 'X-Both': 'call' },
  },
};

test('a call that asks for nothing goes by its rule and gateway', () => {
  expect(orderOf({})).toMatchObject({
    ...{ ringTimeoutSeconds: 45, maxCallSeconds: 3600, dtmf: false, hidePhoneNumber: false, includeHeaders: 'NONE' },
    record: false,
    ...{ headers: { 'X-Both': 'rule' }, gateway: { mediaEncryption: 'disable' } },
    room: 'acc_x.call_01990000-0000-7000-8000-000000000001_1_1',
  });
  expect(orderOf({})).not.toHaveProperty('participant');
});

test('all that a call asks for reaches its order; the rule’s headers win', () => {
  const participant = { id: 'customer-7', name: 'Asha' };
  expect(orderOf({ options: asked, participant })).toMatchObject({
    ...{ ringTimeoutSeconds: 20, maxCallSeconds: 300, dtmf: true, hidePhoneNumber: true, includeHeaders: 'ALL' },
    record: true,
    ...{
      headers: { 'X-Own': '1', 'X-Both': 'rule' },
      gateway: { mediaEncryption: 'enable' },
      room: 'acc_x.room-7',
      participant,
    },
  });
});

// shows: call.rule-decides
test('if the rule speaks too, it decides', () => {
  const rule = { roomType: 'static', ruleRoomId: 'front-desk', includeHeaders: 'SIP_X_HEADERS' } as const;
  const off: CallOptions = { dtmf: false, hidePhoneNumber: false };
  expect(orderOf({ ...rule, options: asked })).toMatchObject({
    room: 'acc_x.front-desk',
    includeHeaders: 'SIP_X_HEADERS',
  });
  expect(orderOf({ dtmf: true, hidePhoneNumber: true, options: off })).toMatchObject({
    dtmf: true,
    hidePhoneNumber: true,
  });
});

// shows: call.rule-decides
test.each([
  ['the rule', { dtmf: true, recording: true }],
  ['the gateway', { gatewayDtmf: true, gatewayRecord: true }],
  ['the call', { options: { dtmf: true, recordAudio: true } }],
])('keys and a recording are asked for by %s alone, whatever the others leave out', (_, change) => {
  expect(orderOf(change)).toMatchObject({ dtmf: true, record: true });
});

test('P1-2: two accounts that ask for a room of one name are dialed into two rooms', () => {
  const room = (accountId: string, change: Partial<ClaimedAttempt>) => orderOf({ accountId, ...change }).room;
  const named = { options: { destinationRoomId: 'support' } };
  const fixed = { roomType: 'static', ruleRoomId: 'support' } as const;
  expect(new Set([room('acc_a', named), room('acc_b', named)]).size).toBe(2);
  expect(room('acc_b', fixed)).not.toBe(room('acc_a', fixed));
  expect(room('acc_a', fixed)).toBe(room('acc_a', named));
});

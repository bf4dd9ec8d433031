import { expect, test } from 'vitest';
import type { CallOptions, ClaimedAttempt } from '../../../db/queries/dialer/claim-attempts.js';
import { orderFor } from '../../../dialer/order.js';

const attempt = {
  ...{ call_id: '01990000-0000-7000-8000-000000000001', number: 1, invite: 0, account_id: 'acc_x', batch_id: null },
  ...{ to_number: '+15550100120', from_number: '+15550100001', do_not_call: false, free_tries: 0, options: null },
  ...{ participant: null, gateway_id: 'gwo_x', address: 'sip.example.com', transport: 'tls', auth_username: null },
  ...{ auth_password_sealed: null, media_encryption: 'disable', sip_region: 'default', from_host: null },
  ...{ gateway_headers: {}, number_format: 'e164', ring_timeout_seconds: 45, max_call_seconds: 3600 },
  ...{ room_type: 'dynamic', room_prefix: 'blank', rule_room_id: null, rule_headers: { 'X-Both': 'rule' } },
  ...{ include_headers: 'NONE', hide_phone_number: false, dtmf: false, recording: false, allowed_numbers: [] },
  ...{ gateway_dtmf: false, gateway_record: false },
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
test('where the rule speaks too, it decides', () => {
  const rule = { room_type: 'static', rule_room_id: 'front-desk', include_headers: 'SIP_X_HEADERS' } as const;
  const off: CallOptions = { dtmf: false, hidePhoneNumber: false };
  expect(orderOf({ ...rule, options: asked })).toMatchObject({
    room: 'acc_x.front-desk',
    includeHeaders: 'SIP_X_HEADERS',
  });
  expect(orderOf({ dtmf: true, hide_phone_number: true, options: off })).toMatchObject({
    dtmf: true,
    hidePhoneNumber: true,
  });
});

// shows: call.rule-decides
test.each([
  ['the rule', { dtmf: true, recording: true }],
  ['the gateway', { gateway_dtmf: true, gateway_record: true }],
  ['the call', { options: { dtmf: true, recordAudio: true } }],
])('keys and a recording are asked for by %s alone, whatever the others leave out', (_, change) => {
  expect(orderOf(change)).toMatchObject({ dtmf: true, record: true });
});

test('P1-2: two accounts that ask for a room of one name are dialed into two rooms', () => {
  const room = (account_id: string, change: Partial<ClaimedAttempt>) => orderOf({ account_id, ...change }).room;
  const named = { options: { destinationRoomId: 'support' } };
  const fixed = { room_type: 'static', rule_room_id: 'support' } as const;
  expect(new Set([room('acc_a', named), room('acc_b', named)]).size).toBe(2);
  expect(room('acc_b', fixed)).not.toBe(room('acc_a', fixed));
  expect(room('acc_a', fixed)).toBe(room('acc_a', named));
});

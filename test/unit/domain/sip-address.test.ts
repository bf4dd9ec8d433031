import { expect, test } from 'vitest';
import { parseSipAddress } from '../../../domain/phone/sip-address.js';

// shows: numbers.address
test.each([
  ['sip.example.com', 'sip.example.com', null],
  ['sip.example.com:5061', 'sip.example.com', 5061],
  ['sip.example.com.', 'sip.example.com.', null],
  ['93.184.216.34:65535', '93.184.216.34', 65_535],
  ['[2001:db8::1]:5060', '2001:db8::1', 5060],
  ['[2001:db8::1]', '2001:db8::1', null],
  ['trunk_1.example.com:1', 'trunk_1.example.com', 1],
])('%s is a trunk’s address', (text, host, port) => {
  expect(parseSipAddress(text)).toEqual({ host, port });
});

test.each([
  '',
  ' sip.example.com',
  'sip:sip.example.com',
  'https://sip.example.com',
  'user@sip.example.com',
  'sip.example.com:',
  'sip.example.com:0',
  'sip.example.com:65536',
  'sip..example.com',
  '-sip.example.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(127)}com`,
  '2001:db8::1',
  'sip.example.com;transport=tls',
])('%j is none', (text) => {
  expect(parseSipAddress(text)).toBeNull();
});

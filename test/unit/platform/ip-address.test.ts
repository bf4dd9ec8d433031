import { expect, test } from 'vitest';
import { addressKind, isCidr, mayConnectTo } from '../../../platform/ip-address.js';

test.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '[2606:4700::1111]', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => {
    expect(addressKind(address)).toBe('public');
  },
);

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '::1',
  '[::1]',
  'fd12:3456::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
])('%s is private', (address) => {
  expect(addressKind(address)).toBe('private');
});

test.each([
  '0.0.0.0',
  '169.254.169.254',
  '169.254.0.1',
  '::ffff:169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '64:ff9b::7f00:1',
  '::7f00:1',
])('%s is never a destination, also where private ones are', (address) => {
  expect(addressKind(address)).toBe('forbidden');
  expect(mayConnectTo(address, { allowPrivate: true })).toBe(false);
});

test('names are judged by what they mean everywhere', () => {
  for (const name of ['localhost', 'LOCALHOST.', 'a.localhost', 'printer.local', 'db.internal', 'router.home.arpa']) {
    expect(mayConnectTo(name, { allowPrivate: false })).toBe(false);
    expect(mayConnectTo(name, { allowPrivate: true })).toBe(true);
  }
  for (const name of ['example.com', 'localhost.example.com', 'notlocal', 'internal.example.com']) {
    expect(mayConnectTo(name, { allowPrivate: false })).toBe(true);
  }
});

// shows: rule.allowed-addresses
test('ranges are in CIDR form', () => {
  for (const range of ['198.51.100.0/24', '10.0.0.1/32', '2001:db8::/32', '0.0.0.0/0'])
    expect(isCidr(range)).toBe(true);
  for (const text of ['198.51.100.0', '198.51.100.0/33', '2001:db8::/129', 'a/24', '1/8/8', '']) {
    expect(isCidr(text)).toBe(false);
  }
});

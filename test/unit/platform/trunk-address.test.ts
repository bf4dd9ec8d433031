import { expect, test, vi } from 'vitest';
import { mayConnectTo } from '../../../platform/ip-address.js';
import { createTrunkJudge } from '../../../cli/roles/trunk-judge.js';
import { mayCallTrunk } from '../../../platform/trunk-address.js';

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
const leadingTo =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
const judge = (findAddresses: ReturnType<typeof leadingTo>, allowPrivate = false) =>
  createTrunkJudge({ allowPrivate, findAddresses });

test.each([
  ['127.0.0.1:5060'],
  ['127.0.0.1.:22'],
  ['10.1.2.3'],
  ['redis:6379'],
  ['postgres.:5432'],
  ['127.0.0.1.nip.io:6379'],
  ['10-0-0-1.sslip.io.'],
  ['app.localtest.me'],
  ['2130706433'],
  ['0x7f000001'],
  ['[::1]:5060'],
  ['trunk.internal'],
])('P2-6: %s is refused by its text, without being looked up', async (address) => {
  let asked = 0;
  const judgement = await createTrunkJudge({
    allowPrivate: false,
    findAddresses: () => {
      asked += 1;
      return leadingTo('54.172.60.1')();
    },
  })(address);
  expect(judgement).toBe('refused');
  expect(asked).toBe(0);
});

test.each([
  ['one private address', ['10.0.0.5']],
  ['a private one among public ones', ['54.172.60.1', '127.0.0.1']],
  ['a metadata service', ['169.254.169.254']],
  ['a private IPv6 address', ['54.172.60.1', 'fd00::1']],
  ['an IPv6 address with a private one inside', ['::ffff:10.0.0.1']],
  ['nothing', []],
])('P2-6: a public name that leads to %s is refused', async (_name, addresses) => {
  expect(await judge(leadingTo(...addresses))('sip.carrier.example')).toBe('refused');
});

test('P2-6: a name that leads to public addresses only is allowed; one that exists nowhere sounds like a private one', async () => {
  expect(await judge(leadingTo('54.172.60.1', '2606:4700::1'))('sip.carrier.example:5061')).toBe('allowed');
  expect(await judge(failing('ENOTFOUND') as never)('sip.carrier.example')).toBe('refused');
});

test('P2-6: a name that cannot be looked up now is not judged, and is asked again after two seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let tries = 0;
  const judgeNow = createTrunkJudge({
    allowPrivate: false,
    findAddresses: () => {
      tries += 1;
      return tries === 1 ? failing('EAI_AGAIN')() : leadingTo('54.172.60.1')();
    },
  });
  expect(await judgeNow('sip.carrier.example')).toBe('unknown');
  vi.advanceTimersByTime(1_999);
  // Thousands of calls ask, and each would wait for DNS with its line and its agent.
  expect(await judgeNow('sip.carrier.example')).toBe('unknown');
  expect(tries).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await judgeNow('sip.carrier.example')).toBe('allowed');
  expect(await judgeNow('SIP.carrier.example.')).toBe('allowed');
  expect(tries).toBe(2);
  vi.useRealTimers();
});

test('P2-6: if the operator allows private trunks they are called, metadata services never', async () => {
  expect(await judge(leadingTo('10.0.0.5'), true)('pbx')).toBe('allowed');
  expect(await judge(failing('ENOTFOUND') as never, true)('pbx')).toBe('allowed');
  expect(await judge(leadingTo('169.254.169.254'), true)('pbx')).toBe('refused');
});

test('P2-6: names without a dot, with one at the end, or with an address inside are not the public’s', () => {
  for (const name of ['redis', 'redis.']) expect(mayCallTrunk(name, { allowPrivate: false })).toBe(false);
  for (const name of ['127.0.0.1.', '10.0.0.1.nip.io', 'x.lvh.me']) {
    expect(mayConnectTo(name, { allowPrivate: false })).toBe(false);
  }
  expect(mayConnectTo('sip.carrier.example.', { allowPrivate: false })).toBe(true);
});

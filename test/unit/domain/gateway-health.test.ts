import { expect, test } from 'vitest';
import {
  afterSign,
  afterSignOf,
  isUntroubled,
  paceAt,
  type GatewayHealth,
  type GatewaySign,
} from '../../../domain/call/gateway-health.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const well: GatewayHealth = {
  recentFaults: '',
  consecutiveSilences: 0,
  pace: 1,
  paceChangedAt: at(0),
  concurrencyCap: null,
  concurrencyChangedAt: at(0),
  suspendedSince: null,
  probeAt: null,
  probeDelaySeconds: null,
  suspendedReason: null,
  unsentSince: null,
  unsentAt: null,
  unsentReason: null,
};
const fault: GatewaySign = { kind: 'fault', words: '403 D10 disabled' };
const normal: GatewaySign = { kind: 'normal' };
const after = (signs: readonly GatewaySign[], from = well) =>
  signs.reduce((health, sign, i) => afterSign(health, sign, at(i), 20), from);
const times = (n: number, sign: GatewaySign) => Array.from({ length: n }, () => sign);

test('four faults in a row do not suspend a gateway, the fifth does, with the carrier’s words and a probe in 30 s', () => {
  expect(after(times(4, fault)).suspendedSince).toBeNull();
  expect(after(times(5, fault))).toMatchObject({
    suspendedSince: at(4),
    probeAt: at(34),
    probeDelaySeconds: 30,
    suspendedReason: '403 D10 disabled',
  });
});

test('a fault among normal ends does not suspend until 80 % of the last 20 are faults', () => {
  const fourOfFive = [...times(4, fault), normal];
  const mixed = [...fourOfFive, ...fourOfFive, ...fourOfFive, ...times(4, fault)];
  expect(after(mixed).suspendedSince).toBeNull();
  expect(after([...mixed, normal, fault]).suspendedSince).not.toBeNull();
});

test('a failed probe doubles the wait, up to ten minutes', () => {
  let health = after(times(5, fault));
  const delays = Array.from({ length: 6 }, () => {
    health = afterSign(health, fault, at(100), 20);
    return health.probeDelaySeconds;
  });
  expect(delays).toEqual([60, 120, 240, 480, 600, 600]);
  expect(health.probeAt).toEqual(at(700));
});

test('a probe that the carrier takes reopens the gateway at one call per second, with a clean slate', () => {
  const reopened = afterSign(after(times(5, fault)), normal, at(60), 20);
  expect(reopened).toMatchObject({ suspendedSince: null, probeAt: null, suspendedReason: null, pace: 1 / 20 });
  expect(paceAt(reopened, at(60))).toBe(1 / 20);
  expect(paceAt(reopened, at(80))).toBeCloseTo(0.25);
  expect(paceAt(reopened, at(600))).toBe(1);
});

test('ten silences in a row begin to count as faults; one answer in between starts the count again', () => {
  const silence: GatewaySign = { kind: 'silence' };
  expect(after(times(9, silence)).recentFaults).toBe('');
  expect(after(times(10, silence)).recentFaults).toBe('1');
  expect(after([...times(9, silence), normal, ...times(9, silence)]).recentFaults).toBe('0');
  expect(after(times(14, silence)).suspendedSince).not.toBeNull();
});

test('a throttling carrier halves the pace once a second at most, to a tenth at least', () => {
  const rate: GatewaySign = { kind: 'rate' };
  const once = afterSign(well, rate, at(0), 20);
  expect(once.pace).toBe(0.5);
  expect(afterSign(once, rate, at(0.5), 20).pace).toBe(0.5);
  expect(afterSign(once, rate, at(1), 20).pace).toBe(0.25);
  expect(after(times(9, rate)).pace).toBe(0.1);
});

test('a carrier out of channels caps concurrency just below what was live, never below one', () => {
  expect(afterSign(well, { kind: 'channels', live: 8 }, at(0), 20).concurrencyCap).toBe(7);
  expect(afterSign(well, { kind: 'channels', live: 1 }, at(0), 20).concurrencyCap).toBe(1);
});

const unsent: GatewaySign = { kind: 'unsent', reason: 'provider_busy' };

test('a gateway whose calls the provider does not send says since when, until an INVITE leaves that was tried after that', () => {
  const stopped = after([normal, unsent, unsent]);
  expect(stopped).toMatchObject({ unsentSince: at(1), unsentAt: at(2), unsentReason: 'provider_busy' });
  expect(afterSignOf(stopped, fault, at(0), at(3), 20)).toMatchObject({ unsentSince: at(1), recentFaults: '10' });
  for (const sign of [normal, fault, { kind: 'rate' }, { kind: 'silence' }] as const) {
    expect(afterSignOf(stopped, sign, at(1), at(3), 20).unsentSince).toBeNull();
  }
});

test('what was not sent before a pause of more than three minutes is not told with what is not sent after it', () => {
  const stopped = after([unsent]);
  expect(afterSign(stopped, unsent, at(180), 20).unsentSince).toEqual(at(0));
  expect(afterSign(stopped, unsent, at(181), 20).unsentSince).toEqual(at(181));
});

test('only a gateway without faults, silences, suspension and calls that were not sent is untroubled', () => {
  expect(isUntroubled(after([normal, normal]))).toBe(true);
  expect(isUntroubled(after([fault]))).toBe(false);
  expect(isUntroubled(after([{ kind: 'silence' }]))).toBe(false);
  expect(isUntroubled(after([unsent]))).toBe(false);
});

test('C7: what a leg that was dialed before the suspension says neither reopens the gateway nor puts off the next probe', () => {
  const suspended = after(times(5, fault));
  const since = suspended.suspendedSince ?? at(0);
  const before = new Date(since.getTime() - 1);
  for (const sign of [normal, fault, { kind: 'rate' }, { kind: 'channels', live: 3 }, { kind: 'silence' }] as const) {
    expect(afterSignOf(suspended, sign, before, at(60), 20)).toEqual(suspended);
  }
  expect(afterSignOf(suspended, normal, since, at(60), 20).suspendedSince).toBeNull();
  expect(afterSignOf(well, fault, before, at(60), 20).recentFaults).toBe('1');
});

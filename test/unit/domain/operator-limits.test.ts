import { expect, test } from 'vitest';
import { defaultGuardrails, type Guardrails } from '../../../domain/account/guardrails.js';
import {
  hasLimits,
  narrow,
  noOperatorLimits,
  type OperatorLimits,
  retryProblems,
  wideningProblems,
} from '../../../domain/account/operator-limits.js';
import { readEnv } from '../../../platform/env.js';
import { operatorLimitsOf } from '../../../platform/operator-env.js';

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const hours = (from: string, until: string, daysOfWeek = everyDay) => ({ from, until, daysOfWeek });
const limits: OperatorLimits = {
  ...{ allowedCountries: ['US', 'IN'], callingHours: hours('08:00', '21:00'), maxAttemptsPerNumberPerDay: 3 },
  ...{ refusePremiumRate: true, refuseSatellite: true, maxCallsPerSecond: 5, maxConcurrentCalls: 20 },
  ...{
    maxConcurrentCallsPerAccount: 30,
    reservedAgentSlots: null,
    minRetryDelaySeconds: 60,
    requireGrants: false,
    transferHosts: null,
  },
};
const widest: Guardrails = {
  ...{ callingHours: hours('00:00', '24:00'), maxAttemptsPerNumberPerDay: 100, disclosure: null },
  ...{ allowedCountries: ['CU', 'SO', 'US'], refusePremiumRate: false, refuseSatellite: false },
};

test('P2-2: whatever an account has set, it is held to what the operator allows', () => {
  expect(narrow(limits, widest, ['GB'])).toEqual({
    ...{ callingHours: [widest.callingHours, limits.callingHours], maxAttemptsPerNumberPerDay: 3, disclosure: null },
    ...{ allowedCountries: ['US'], refusePremiumRate: true, refuseSatellite: true },
  });
});

test('P2-2: an account that has set nothing is held to it too, and a number of its own does not widen the countries', () => {
  expect(narrow(limits, defaultGuardrails, ['GB', 'US'])).toMatchObject({
    ...{ callingHours: [limits.callingHours], maxAttemptsPerNumberPerDay: 3, allowedCountries: ['US'] },
  });
});

test('P2-2: what an account has set narrower stays', () => {
  const account = { ...defaultGuardrails, allowedCountries: ['IN'], maxAttemptsPerNumberPerDay: 1 };
  expect(narrow(limits, account, [])).toMatchObject({ allowedCountries: ['IN'], maxAttemptsPerNumberPerDay: 1 });
});

test('P2-2: if the operator sets nothing, everything is as the account says', () => {
  expect(narrow(noOperatorLimits, widest, ['GB'])).toEqual({ ...widest, callingHours: [widest.callingHours] });
  expect(narrow(noOperatorLimits, defaultGuardrails, ['GB'])).toEqual({ ...defaultGuardrails, callingHours: [] });
  expect([hasLimits(noOperatorLimits), hasLimits(limits)]).toEqual([false, true]);
});

test('P2-2: every field that would widen is named at once', () => {
  expect(wideningProblems(limits, widest).map(({ path, message }) => `${path}: ${message.split(':')[0]!}`)).toEqual([
    'callingHours: must lie within 08',
    'maxAttemptsPerNumberPerDay: must be at most 3',
    'allowedCountries: must not hold CU, SO',
    'refusePremiumRate: must be true',
    'refuseSatellite: must be true',
  ]);
  expect(wideningProblems(limits, defaultGuardrails)).toEqual([]);
  expect(wideningProblems(noOperatorLimits, widest)).toEqual([]);
});

test.each([
  [hours('09:00', '20:00'), hours('08:00', '21:00'), true],
  [hours('08:00', '21:00'), hours('08:00', '21:00'), true],
  [hours('07:59', '21:00'), hours('08:00', '21:00'), false],
  [hours('20:00', '02:00', [5]), hours('18:00', '03:00', [5]), true],
  [hours('20:00', '04:00', [7]), hours('18:00', '03:00', [7]), false],
  [hours('01:00', '02:00', [6]), hours('18:00', '03:00', [5]), true],
  [hours('09:00', '18:00', [6]), hours('08:00', '21:00', [1, 2, 3, 4, 5]), false],
])('P2-2: whether hours %j lie within %j: %s', (account, operator, within) => {
  const problems = wideningProblems(
    { ...noOperatorLimits, callingHours: operator },
    { ...defaultGuardrails, callingHours: account },
  );
  expect(problems.length === 0).toBe(within);
});

test('P2-2: retries quicker than the operator allows are named one by one', () => {
  expect(retryProblems(limits, [1, 60, 59]).map(({ path }) => path)).toEqual([
    'retry.retryDelays[0]',
    'retry.retryDelays[2]',
  ]);
  expect(retryProblems(noOperatorLimits, [1])).toEqual([]);
});

test('P2-2: the limits are settings; none is set by default', () => {
  expect(operatorLimitsOf(readEnv({}))).toEqual(noOperatorLimits);
  const env = readEnv({
    ...{ OUTDIAL_ALLOWED_COUNTRIES: 'US, IN', OUTDIAL_CALLING_HOURS: '08:00-21:00', OUTDIAL_CALLING_DAYS: '6,1' },
    ...{ OUTDIAL_MAX_ATTEMPTS_PER_NUMBER_PER_DAY: '3', OUTDIAL_REFUSE_PREMIUM_RATE: 'true' },
    ...{ OUTDIAL_MAX_CALLS_PER_SECOND: '2.5', OUTDIAL_MIN_RETRY_DELAY_SECONDS: '60' },
  });
  expect(operatorLimitsOf(env)).toEqual({
    ...{ ...noOperatorLimits, allowedCountries: ['US', 'IN'], callingHours: hours('08:00', '21:00', [1, 6]) },
    ...{ maxAttemptsPerNumberPerDay: 3, refusePremiumRate: true, maxCallsPerSecond: 2.5, minRetryDelaySeconds: 60 },
  });
});

test.each([
  ['OUTDIAL_ALLOWED_COUNTRIES', 'usa'],
  ['OUTDIAL_ALLOWED_COUNTRIES', ','],
  ['OUTDIAL_CALLING_HOURS', '8-21'],
  ['OUTDIAL_CALLING_HOURS', '09:00-09:00'],
  ['OUTDIAL_CALLING_DAYS', '0'],
  ['OUTDIAL_MAX_CALLS_PER_SECOND', '0'],
])('P2-2: %s=%s is refused at the start: a limit that is misread would be none', (name, value) => {
  expect(() => readEnv({ [name]: value })).toThrow(name);
});

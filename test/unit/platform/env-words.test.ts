import { expect, test } from 'vitest';
import { Env, readEnv, unknownVariables } from '../../../platform/env.js';

test('F2: an empty value counts as not set, for every setting there is', () => {
  const empty = Object.fromEntries(Object.keys(Env.shape).map((name) => [name, '']));
  expect(readEnv(empty)).toEqual(readEnv({}));
  expect(readEnv({ OUTDIAL_CUSTOM_LLM_URL: ' ' }).OUTDIAL_CUSTOM_LLM_URL).toBeUndefined();
});

test.each([
  ['OUTDIAL_PORT', 'abc', 'OUTDIAL_PORT: must be a whole number from 0 to 65535, not "abc"'],
  ['OUTDIAL_AGENT_SLOTS', '2.5', 'OUTDIAL_AGENT_SLOTS: must be a whole number from 1 to 500, not "2.5"'],
  ['OUTDIAL_RATE_LIMIT_PER_SECOND', 'x', 'OUTDIAL_RATE_LIMIT_PER_SECOND: must be a number, at least 1, not "x"'],
  ['OUTDIAL_PROVIDER', 'pigeon', 'OUTDIAL_PROVIDER: must be one of livekit, simulator, not "pigeon"'],
  [
    'OUTDIAL_RESERVED_AGENT_SLOTS',
    'default=4,eu=many',
    'OUTDIAL_RESERVED_AGENT_SLOTS: must be a number of slots, or a number for each region such as default=4,eu=2, not eu=many',
  ],
  ['OUTDIAL_RESERVED_AGENT_SLOTS', 'eu=2', 'OUTDIAL_RESERVED_AGENT_SLOTS: OUTDIAL_REGIONS does not name eu'],
  ['OUTDIAL_ALLOW_PRIVATE_SIP', 'yes', 'OUTDIAL_ALLOW_PRIVATE_SIP: must be one of 0, 1, true, false, not "yes"'],
])('F2: %s=%s is refused in plain words', (name, value, words) => {
  expect(() => readEnv({ [name]: value })).toThrow(words);
});

test('F2: a variable that is no setting is named with the one that was meant', () => {
  expect(
    unknownVariables({
      ...{ OUTDIAL_REGION: 'eu', OUTDIAL_RETENTION_DAY: '30', OUTDIAL_NONSENSE_OF_ALL_KINDS: '1' },
      ...{ OUTDIAL_PORT: '1', OUTDIAL_CUSTOM_API_KEY: 'x', PATH: '/bin' },
    }),
  ).toEqual([
    'OUTDIAL_NONSENSE_OF_ALL_KINDS is no setting of this version and does nothing.',
    'OUTDIAL_REGION is no setting of this version and does nothing. Is OUTDIAL_REGIONS meant?',
    'OUTDIAL_RETENTION_DAY is no setting of this version and does nothing. Is OUTDIAL_RETENTION_DAYS meant?',
  ]);
});

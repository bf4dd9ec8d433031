import { expect, test } from 'vitest';
import { readEnv } from '../../../platform/env.js';

test('without any setting there is a default for everything that has one', () => {
  const env = readEnv({});
  expect(env).toMatchObject({
    OUTDIAL_PROVIDER: 'livekit',
    OUTDIAL_REGIONS: ['default'],
    OUTDIAL_DEFAULT_CALLS_PER_SECOND: 1,
    OUTDIAL_ALLOW_PRIVATE_SIP: false,
    OUTDIAL_ENCRYPTION_KEYS: [],
  });
});

test('lists are split and flags read', () => {
  const env = readEnv({
    OUTDIAL_REGIONS: 'eu, us,,in ',
    OUTDIAL_ALLOW_PRIVATE_SIP: '1',
    OUTDIAL_ALLOW_PRIVATE_WEBHOOKS: 'true',
    OUTDIAL_ALLOW_INSECURE_WEBHOOKS: '0',
  });
  expect(env.OUTDIAL_REGIONS).toEqual(['eu', 'us', 'in']);
  expect(env.OUTDIAL_ALLOW_PRIVATE_SIP).toBe(true);
  expect(env.OUTDIAL_ALLOW_PRIVATE_WEBHOOKS).toBe(true);
  expect(env.OUTDIAL_ALLOW_INSECURE_WEBHOOKS).toBe(false);
});

test('every wrong setting is named at once', () => {
  const read = () => readEnv({ OUTDIAL_PORT: '70000', OUTDIAL_PROVIDER: 'pigeon', OUTDIAL_ALLOW_PRIVATE_SIP: 'maybe' });
  for (const name of ['OUTDIAL_PORT', 'OUTDIAL_PROVIDER', 'OUTDIAL_ALLOW_PRIVATE_SIP']) expect(read).toThrow(name);
});

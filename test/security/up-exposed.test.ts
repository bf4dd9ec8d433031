import { expect, test } from 'vitest';
import { chooseAddresses } from '../../cli/up/addresses.js';
import { sharedSettings } from '../../cli/up/roles.js';
import { readEnv } from '../../platform/env.js';
import { outboundUrlProblem } from '../../platform/outbound-url.js';

/** What the processes of `outdial up` are told if its API listens on this host. */
async function envOn(host: string, env: Readonly<Record<string, string>> = {}) {
  const at = await chooseAddresses('/tmp/unused', host);
  const databaseUrl = 'postgres://outdial@127.0.0.1:1/outdial';
  const encryptionKeys = `k1:${Buffer.alloc(32).toString('base64')}`;
  const calls = { provider: 'simulator', speed: 1 } as const;
  return readEnv(sharedSettings({ at, databaseUrl, encryptionKeys, temporalAddress: '127.0.0.1:2', ...calls, env }));
}

const problemOf = (url: string, env: Awaited<ReturnType<typeof envOn>>) =>
  outboundUrlProblem(url, {
    allowPrivate: env.OUTDIAL_ALLOW_PRIVATE_WEBHOOKS,
    allowInsecure: env.OUTDIAL_ALLOW_INSECURE_WEBHOOKS,
  });

test.each(['127.0.0.1', '127.3.2.1', '::1', 'localhost'])(
  'P3-12: while only this machine reaches the API of `up` (%s), webhooks may go to this machine',
  async (host) => {
    const env = await envOn(host);
    expect(problemOf('http://127.0.0.1:9000/hook', env)).toBeNull();
    expect(env.OUTDIAL_ALLOW_PRIVATE_SIP).toBe(true);
  },
);

test.each(['0.0.0.0', '::', '192.168.1.5', '10.0.0.7', 'voice.example.com', '127.0.0.1.nip.io', '127example.com'])(
  'P3-12: if others reach the API of `up` (%s), it fetches nothing from this machine or its network for them',
  async (host) => {
    const env = await envOn(host);
    for (const url of ['http://127.0.0.1:9000/', 'https://127.0.0.1/', 'https://10.0.0.1/', 'http://example.com/'])
      expect({ url, problem: problemOf(url, env) }).toEqual({ url, problem: expect.anything() });
    expect(env.OUTDIAL_ALLOW_PRIVATE_SIP).toBe(false);
  },
);

test('P3-12: private addresses can be allowed', async () => {
  const env = await envOn('0.0.0.0', {
    OUTDIAL_ALLOW_PRIVATE_WEBHOOKS: 'true',
    OUTDIAL_ALLOW_INSECURE_WEBHOOKS: 'true',
  });
  expect(problemOf('http://127.0.0.1:9000/', env)).toBeNull();
});

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dispositionOf } from '../../domain/call/disposition.js';
import { freePort } from '../../embedded/free-port.js';
import type { TrunkEnd } from '../../domain/phone/trunk-end.js';
import type { AttemptResult, CallProvider } from '../../telephony/provider.js';
import { certificateFor, openssl } from './certificate.js';
import { type Carrier, startCarrier } from './carrier.js';
import { canCall, withRealCalls } from './programs.js';
import { sipTestEnv, orderBy, type SipTestEnv, trunkAt } from './test-env.js';

const answering = '+15550100001';
const plays = { [answering]: { rings: 180, finally: 200, hangsUpAfterMs: 200 } } as const;
const credentials = { username: 'trunk', password: 'a-secret-of-the-trunk' };

/** What the `response` of an Authorization header must be (RFC 2617, 3.2.2.1). */
function digestOf(header: string): string {
  const field = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(header)?.[1] ?? '';
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
  const who = md5(`${credentials.username}:${field('realm')}:${credentials.password}`);
  return md5(`${who}:${field('nonce')}:${md5(`INVITE:${field('uri')}`)}`);
}

const firstTry = { invite: 1, freeTries: 0, throttledSeconds: 0, consecutiveSilences: 0 };

describe.skipIf(!canCall)(withRealCalls('a trunk that is set up wrongly, or broken'), () => {
  let testEnv: SipTestEnv;
  let provider: CallProvider;
  let asking: Carrier;
  let proxy: Carrier;
  beforeAll(async () => {
    testEnv = await sipTestEnv();
    provider = testEnv.connect();
    asking = await startCarrier(plays, { credentials });
    proxy = await startCarrier(plays, { credentials: { ...credentials, status: 407 } });
  });
  beforeEach((context) => testEnv.stack.tellLogsOnFailure(context));
  afterAll(async () => {
    await testEnv.close();
    await asking.close();
    await proxy.close();
  });

  const dial = (gateway: TrunkEnd, ringTimeoutSeconds = 20): Promise<AttemptResult> =>
    provider.dial(orderBy(gateway, answering, { ringTimeoutSeconds }), () => undefined);
  /** The gateway's own fault: it is suspended in time, and no attempt is consumed. */
  async function isFault(gateway: TrunkEnd): Promise<AttemptResult> {
    const end = await dial(gateway);
    expect(dispositionOf(end, firstTry)).toMatchObject({ kind: 'gateway_fault' });
    expect(JSON.stringify(end)).not.toContain(credentials.password);
    return end;
  }

  test.each([401, 407])('credentials that a %s asks for are sent, and the call goes through', async (status) => {
    const carrier = status === 401 ? asking : proxy;
    const before = carrier.invites().length;
    const end = await dial(trunkAt(carrier.address, { auth: credentials }));
    expect(end).toMatchObject({ how: 'ended', rang: true, reason: 'callee_hung_up' });
    const [first, second, ...more] = carrier.invites().slice(before);
    const header = status === 401 ? 'authorization' : 'proxy-authorization';
    expect(first?.headers[header]).toBeUndefined();
    expect(second?.headers[header]).toContain(`response="${digestOf(second?.headers[header] ?? '')}"`);
    expect(second?.callId).toBe(first?.callId);
    expect(more).toEqual([]);
  });

  test('a wrong password is the gateway’s own fault', async () => {
    const before = asking.invites().length;
    const end = await isFault(trunkAt(asking.address, { auth: { username: 'trunk', password: 'another' } }));
    expect(end.reason).toContain('max auth retry');
    const made = asking.invites().slice(before);
    expect(new Set(made.map(({ callId }) => callId)).size).toBe(1);
  });

  test.each([401, 407])('credentials that are missing are the gateway’s own fault (%s)', async (status) => {
    const carrier = status === 401 ? asking : proxy;
    const before = carrier.invites().length;
    expect((await isFault(trunkAt(carrier.address))).reason).toContain('required auth');
    expect(carrier.invites().slice(before)).toHaveLength(1);
  });

  test('a port that refuses the connection is the gateway’s own fault', async () => {
    const end = await isFault(trunkAt(`127.0.0.1:${await freePort()}`, { transport: 'tcp' }));
    expect(end.reason).toContain('connection refused');
  });

  test('a name that does not resolve is the gateway’s own fault', async () => {
    expect((await isFault(trunkAt('no-such-carrier.invalid:5060'))).reason).toContain('fail to resolve');
  });

  test('a port by UDP on which nothing listens is silence', async () => {
    const end = await dial(trunkAt(`127.0.0.1:${await freePort()}`), 2);
    expect(end).toMatchObject({ how: 'ring_timeout', rang: false });
    expect(dispositionOf(end, firstTry)).toMatchObject({ kind: 'ended', status: 'missed' });
  });

  describe.skipIf(openssl === undefined)('by TLS (OPENSSL_BIN)', () => {
    test('an untrusted certificate is the gateway’s own fault, and nothing is said to it', async () => {
      const certificate = certificateFor('127.0.0.1');
      const carrier = await startCarrier(plays, { transport: 'tls', certificate });
      expect((await isFault(trunkAt(carrier.address, { transport: 'tls' }))).reason).toContain('x509');
      expect(carrier.messages()).toEqual([]);
      await carrier.close();
    });
  });
});

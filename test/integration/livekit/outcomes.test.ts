import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Disposition, dispositionOf } from '../../../domain/call/disposition.js';
import { AnswerLost, type CallEvent, type CallProvider, ProviderUnreachable } from '../../../telephony/provider.js';
import { type CourseName, courses } from './courses.js';
import { liveKitTestEnv, type LiveKitTestEnv, orderOf } from './harness.js';

let testEnv: LiveKitTestEnv;
let provider: CallProvider;
beforeAll(async () => {
  testEnv = await liveKitTestEnv();
  provider = testEnv.connect();
});
afterAll(() => testEnv.close());

const firstTry = { invite: 1, freeTries: 0, throttledSeconds: 0, consecutiveSilences: 0 };

async function dialed(course: CourseName, ringTimeoutSeconds = 45) {
  const events: CallEvent['type'][] = [];
  const end = await provider.dial(orderOf(course, { ringTimeoutSeconds }), ({ type }) => events.push(type));
  return { end, events, disposition: dispositionOf(end, firstTry) };
}

const ended = (status: string, reason: string, permanent = false): Partial<Disposition> =>
  ({ kind: 'ended', status, reason, permanent }) as Partial<Disposition>;
const requeued = (why: string): Partial<Disposition> => ({ kind: 'requeue', why }) as Partial<Disposition>;
const fault = { kind: 'gateway_fault' } as const;

/** Every row of the measured table that is an answer to a dial: what the driver makes of it, and what that means. */
const rows = {
  'answers and talks a little': [{ how: 'ended', reason: 'callee_hung_up' }, ended('answered', 'callee_hung_up')],
  'answers at once': [{ how: 'ended', reason: 'callee_hung_up' }, ended('answered', 'callee_hung_up')],
  '486': [{ how: 'refused', sipStatusCode: 486, sipPhrase: 'Busy Here' }, ended('rejected', 'busy')],
  '486 after ringing': [{ how: 'refused', rang: true, sipStatusCode: 486 }, ended('rejected', 'busy')],
  '600': [{ how: 'refused', sipStatusCode: 600 }, ended('rejected', 'busy')],
  '480': [{ how: 'refused', rang: false, sipStatusCode: 480 }, ended('missed', 'unavailable')],
  '480 after ringing': [{ how: 'refused', rang: true, sipStatusCode: 480 }, ended('not-answered', 'no_answer')],
  '480 after ringing for a moment': [{ how: 'refused', rang: true }, ended('not-answered', 'no_answer')],
  '603': [{ how: 'refused', sipStatusCode: 603 }, ended('rejected', 'declined')],
  '607': [{ how: 'refused', sipStatusCode: 607 }, ended('rejected', 'unwanted', true)],
  '608': [{ how: 'refused', sipStatusCode: 608 }, ended('rejected', 'rejected_by_network', true)],
  '403': [{ how: 'refused', sipStatusCode: 403 }, ended('failed', 'sip_403')],
  '403 channel limit': [{ how: 'refused', sipPhrase: 'User channel limit exceeded D1' }, requeued('channels')],
  '407': [{ how: 'refused', sipStatusCode: 407 }, fault],
  '404': [{ how: 'refused', sipStatusCode: 404 }, ended('failed', 'not_found')],
  '408': [{ how: 'refused', rang: false, sipStatusCode: 408 }, ended('missed', 'unavailable')],
  '408 after ringing': [{ how: 'refused', rang: true, sipStatusCode: 408 }, ended('not-answered', 'no_answer')],
  '484': [{ how: 'refused', sipStatusCode: 484 }, ended('failed', 'invalid_number', true)],
  '429': [{ how: 'refused', sipStatusCode: 429 }, requeued('rate')],
  '487': [{ how: 'refused', rang: false, sipStatusCode: 487 }, ended('failed', 'sip_487')],
  '487 after ringing': [{ how: 'refused', rang: true, sipStatusCode: 487 }, ended('not-answered', 'no_answer')],
  '500': [{ how: 'refused', sipStatusCode: 500 }, requeued('carrier_unavailable')],
  '503': [{ how: 'refused', sipStatusCode: 503 }, requeued('carrier_unavailable')],
  '503 rate limit': [{ how: 'refused', sipPhrase: 'Trunk CPS limit exceeded' }, requeued('rate')],
  '302': [{ how: 'refused', sipStatusCode: 302 }, ended('failed', 'sip_302')],
  '504': [{ how: 'refused', rang: false, sipStatusCode: 504 }, ended('missed', 'carrier_timeout')],
  '401 without credentials': [{ how: 'gateway_fault', words: 'server required auth, but no credentials' }, fault],
  'wrong password': [{ how: 'gateway_fault', words: 'max auth retry attempts reached' }, fault],
  'refused connection': [{ how: 'gateway_fault', words: 'dial err: connection refused' }, fault],
  'bad certificate': [{ how: 'gateway_fault' }, fault],
  'INVITE too long': [{ how: 'gateway_fault' }, fault],
  'header too long': [{ how: 'gateway_fault' }, fault],
  'unknown host': [{ how: 'gateway_fault', words: 'fail to resolve: no such host' }, fault],
  'codec mismatch': [{ how: 'gateway_fault' }, fault],
  'no response': [{ how: 'no_response', rang: false }, ended('missed', 'no_response')],
  'stalls after a 100': [{ how: 'ring_timeout', rang: false }, ended('missed', 'ring_timeout')],
  'LiveKit SIP busy': [{ how: 'not_sent', words: 'livekit_sip_busy', unsent: 'provider_busy' }, requeued('not_sent')],
  'LiveKit SIP down': [{ how: 'not_sent', words: 'livekit_sip_absent', unsent: 'no_sip_server' }, requeued('not_sent')],
  'LiveKit SIP draining': [
    { how: 'cancelled', reason: 'cancelled_by_livekit' },
    ended('abandoned', 'cancelled_by_livekit'),
  ],
  'room fails': [
    { how: 'not_sent', words: 'livekit_room_failed', unsent: 'provider_unreachable' },
    requeued('not_sent'),
  ],
} as const satisfies Partial<Record<CourseName, readonly [object, Partial<Disposition>]>>;

describe.concurrent('what LiveKit answers to a dial', () => {
  for (const [course, [fact, meaning]] of Object.entries(rows)) {
    test(`${course} is taken for what it is`, async () => {
      const { end, events, disposition } = await dialed(course as keyof typeof rows);
      expect(end).toMatchObject(fact);
      expect(disposition).toMatchObject(meaning);
      expect(events.includes('ringing')).toBe(end.rang && course !== 'answers at once');
    });
  }

  test('ringing until the ring timeout is not answered', async () => {
    const { end, disposition } = await dialed('rings for long', 1);
    expect(end).toMatchObject({ how: 'ring_timeout', rang: true });
    expect(disposition).toMatchObject(ended('not-answered', 'ring_timeout'));
  });

  test('silence until the ring timeout is missed', async () => {
    const { end, disposition } = await dialed('is tried for long', 1);
    expect(end).toMatchObject({ how: 'ring_timeout', rang: false });
    expect(disposition).toMatchObject(ended('missed', 'ring_timeout'));
  });

  test.each([
    ['INVITE too long', 'headers_too_long_for_udp'],
    ['header too long', 'invalid_header'],
  ] as const)(
    '%s for the call’s own headers fails the call alone, the gateway has no fault',
    async (course, reason) => {
      const order = orderOf(course, { headers: { 'X-Long': 'x'.repeat(1_025) } });
      const end = await provider.dial(order, () => undefined);
      expect(dispositionOf(end, firstTry)).toMatchObject(ended('failed', reason));
    },
  );

  test('a LiveKit SIP that went after it had joined may have sent the INVITE: it is asked about', async () => {
    await expect(dialed('LiveKit SIP dies')).rejects.toBeInstanceOf(AnswerLost);
  });

  test('a connection that breaks may have sent the INVITE', async () => {
    await expect(dialed('connection breaks')).rejects.toBeInstanceOf(AnswerLost);
  });

  test.each(['limit, though it rang', 'key refused, though it rang', 'limit, though it had joined'] as const)(
    '%s: a callee who was in the room may have been called, whatever is said of it',
    async (course) => {
      await expect(dialed(course)).rejects.toBeInstanceOf(AnswerLost);
    },
  );

  test('an answer 200 that names no such callee is no answered call', async () => {
    await expect(dialed('another answers 200')).rejects.toBeInstanceOf(AnswerLost);
  });
});

test('every course of the fake has a row here or a test of its own', () => {
  const elsewhere: readonly CourseName[] = [
    ...(['rings for long', 'is tried for long', 'LiveKit SIP dies', 'connection breaks'] as const),
    ...(['answers and talks for long', 'answers, and no agent comes', 'another answers 200'] as const),
    ...(['limit, though it rang', 'key refused, though it rang', 'limit, though it had joined'] as const),
  ];
  expect(Object.keys(rows).length + elsewhere.length).toBe(Object.keys(courses).length);
});

test('a LiveKit that is down got nothing', async () => {
  const other = await liveKitTestEnv();
  const unconnected = other.connect();
  await other.fake.down();
  const lost = unconnected.dial(orderOf('486'), () => undefined);
  await expect(lost).rejects.toBeInstanceOf(ProviderUnreachable);
  await other.close();
});

test('nothing of a refused key, the token or the secret comes into an error', async () => {
  const { createLiveKitProvider } = await import('../../../telephony/livekit/driver.js');
  const { fake, records } = testEnv;
  const stranger = createLiveKitProvider({
    regions: [{ name: 'default', url: fake.url, apiKey: fake.apiKey, apiSecret: 'not-the-secret-of-this-livekit' }],
    records,
    agents: { reserve: () => Promise.resolve() },
  });
  const order = orderOf('486');
  const errors = await Promise.all(
    [
      stranger.dial(order, () => undefined),
      stranger.prepare(order),
      stranger.hangUp(order, 'lost'),
      stranger.reconcile(order),
      stranger.transfer(order, '+15550100001'),
    ].map((work) => work.then(String, (error: unknown) => error)),
  );
  for (const error of errors) {
    expect(error).toBeInstanceOf(ProviderUnreachable);
    const text = JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error);
    expect(text).toContain('does not accept the API key, or its clock and this machine');
    expect(text).not.toMatch(/eyJ|not-the-secret|a-secret-of-the-trunk/);
  }
  await stranger.close();
});

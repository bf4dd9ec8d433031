import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { type Disposition, dispositionOf } from '../../domain/call/disposition.js';
import type { AttemptResult, CallEvent, CallProvider } from '../../telephony/provider.js';
import { type Carrier, type Play, startCarrier } from './carrier.js';
import { canCall, withRealCalls } from './programs.js';
import { sipTestEnv, orderBy, type SipTestEnv, trunkAt } from './test-env.js';

const firstTry = { invite: 1, freeTries: 0, throttledSeconds: 0, consecutiveSilences: 0 };

type Meaning = Partial<Disposition> & Readonly<Record<string, unknown>>;
const ended = (status: string, reason: string, permanent = false): Meaning =>
  ({ kind: 'ended', status, reason, permanent }) as Meaning;
const requeued = (why: string): Meaning => ({ kind: 'requeue', why }) as Meaning;
const fault = { kind: 'gateway_fault' } as const;

const rung = (play: Play): Play => ({ rings: 180, afterMs: 300, ...play });
const refused = (sipStatusCode: number, sipPhrase: string, rang = false): Partial<AttemptResult> => ({
  ...{ how: 'refused', sipStatusCode, sipPhrase, rang },
});

interface Row {
  readonly play: Play;
  readonly fact: Partial<AttemptResult>;
  readonly meaning: Meaning;
  readonly ringTimeoutSeconds?: number;
}

const row = (play: Play, fact: Partial<AttemptResult>, meaning: Meaning, ringTimeoutSeconds?: number): Row => ({
  ...{ play, fact, meaning },
  ...(ringTimeoutSeconds === undefined ? {} : { ringTimeoutSeconds }),
});
/** A final response before any ringing. */
const final = (code: number, phrase: string, meaning: Meaning): Row =>
  row({ finally: code, phrase, afterMs: 30 }, refused(code, phrase), meaning);
/** A final response to a phone that rang. */
const after = (code: number, phrase: string, meaning: Meaning): Row =>
  row(rung({ finally: code, phrase }), refused(code, phrase, true), meaning);
/** The same, if it means the same as without. */
const anyway = (code: number, phrase: string, meaning: Meaning): Row =>
  row(rung({ finally: code, phrase }), { how: 'refused', sipStatusCode: code }, meaning);

/** Every row of the outcomes table that a carrier brings about by what it answers. */
const rows: Readonly<Record<string, Row>> = {
  'a call answered and hung up by the callee': row(
    rung({ finally: 200, hangsUpAfterMs: 300 }),
    { how: 'ended', rang: true, reason: 'callee_hung_up' },
    ended('answered', 'callee_hung_up'),
  ),
  'a call answered without ringing': row(
    { finally: 200, afterMs: 0, hangsUpAfterMs: 300 },
    { how: 'ended', reason: 'callee_hung_up' },
    ended('answered', 'callee_hung_up'),
  ),
  '183 and then 200': row(
    { rings: 183, finally: 200, hangsUpAfterMs: 300 },
    { how: 'ended', rang: true },
    ended('answered', 'callee_hung_up'),
  ),
  '486': final(486, 'Busy Here', ended('rejected', 'busy')),
  '486 after ringing': anyway(486, 'Busy Here', ended('rejected', 'busy')),
  '600': final(600, 'Busy Everywhere', ended('rejected', 'busy')),
  '603': final(603, 'Decline', ended('rejected', 'declined')),
  '603 after ringing': anyway(603, 'Decline', ended('rejected', 'declined')),
  '607': final(607, 'Unwanted', ended('rejected', 'unwanted', true)),
  '608': final(608, 'Rejected', ended('rejected', 'rejected_by_network', true)),
  '480': final(480, 'Temporarily Unavailable', ended('missed', 'unavailable')),
  '480 after ringing': after(480, 'Temporarily Unavailable', ended('not-answered', 'no_answer')),
  '408': final(408, 'Request Timeout', ended('missed', 'unavailable')),
  '408 after ringing': after(408, 'Request Timeout', ended('not-answered', 'no_answer')),
  '487': final(487, 'Request Terminated', ended('failed', 'sip_487')),
  '487 after ringing': after(487, 'Request Terminated', ended('not-answered', 'no_answer')),
  '404': final(404, 'Not Found', ended('failed', 'not_found')),
  '410': final(410, 'Gone', ended('failed', 'invalid_number', true)),
  '484': final(484, 'Address Incomplete', ended('failed', 'invalid_number', true)),
  '604': final(604, 'Does Not Exist Anywhere', ended('failed', 'invalid_number', true)),
  '403': final(403, 'Forbidden', ended('failed', 'sip_403')),
  '403 with the words of a full trunk': final(403, 'User channel limit exceeded D1', requeued('channels')),
  '403 with the words of a disabled trunk': final(403, 'Connection is disabled D16', fault),
  '403 with the words of a wrong number': final(
    403,
    'Destination Number is invalid D11',
    ended('failed', 'invalid_number', true),
  ),
  '404 with the words of an unpaid trunk': final(404, 'Not found D19', fault),
  '429': final(429, 'Too Many Requests', requeued('rate')),
  '500': final(500, 'Server Internal Error', requeued('carrier_unavailable')),
  '502': final(502, 'Bad Gateway', requeued('carrier_unavailable')),
  '503': final(503, 'Service Unavailable', requeued('carrier_unavailable')),
  '503 with the words of a rate limit': final(503, 'Trunk CPS limit exceeded', requeued('rate')),
  '504': final(504, 'Server Time-out', ended('missed', 'carrier_timeout')),
  '302': row(
    { finally: 302, phrase: 'Moved Temporarily', headers: ['Contact: <sip:elsewhere@127.0.0.1:9>'] },
    refused(302, 'Moved Temporarily'),
    ended('failed', 'sip_302'),
  ),
  '488': final(488, 'Not Acceptable Here', ended('failed', 'sip_488')),
  'an answer without a codec in common': row(
    rung({ finally: 200, media: ['m=audio [port] RTP/AVP 18', 'a=rtpmap:18 G729/8000'] }),
    { how: 'gateway_fault' },
    fault,
  ),
  'ringing for ever': row(
    { rings: 180 },
    { how: 'ring_timeout', rang: true },
    ended('not-answered', 'ring_timeout'),
    2,
  ),
  'silence after a 100': row({}, { how: 'ring_timeout', rang: false }, ended('missed', 'ring_timeout'), 2),
  'no response at all within the ring timeout': row(
    { mute: true },
    { how: 'ring_timeout', rang: false },
    ended('missed', 'ring_timeout'),
    2,
  ),
  'no response at all': row({ mute: true }, { how: 'no_response', rang: false }, ended('missed', 'no_response'), 60),
};

const numberOf = (name: string): string => `+1555010${String(Object.keys(rows).indexOf(name)).padStart(4, '0')}`;

describe.skipIf(!canCall)(withRealCalls('the outcome of a real INVITE'), () => {
  let testEnv: SipTestEnv;
  let carrier: Carrier;
  let provider: CallProvider;
  beforeAll(async () => {
    testEnv = await sipTestEnv();
    carrier = await startCarrier(
      Object.fromEntries(Object.entries(rows).map(([name, { play }]) => [numberOf(name), play])),
    );
    provider = testEnv.connect();
  });
  beforeEach((context) => testEnv.stack.tellLogsOnFailure(context));
  afterAll(async () => {
    await testEnv.close();
    await carrier.close();
  });

  describe.concurrent('of what the carrier answers:', () => {
    for (const [name, { fact, meaning, ringTimeoutSeconds = 20 }] of Object.entries(rows)) {
      test(`${name} is taken for what it is`, { timeout: 90_000 }, async ({ expect }) => {
        const events: CallEvent['type'][] = [];
        const order = orderBy(trunkAt(carrier.address), numberOf(name), { ringTimeoutSeconds });
        const end = await provider.dial(order, ({ type }) => events.push(type));
        expect(end).toMatchObject(fact);
        expect(dispositionOf(end, firstTry)).toMatchObject(meaning);
        expect(carrier.invites(order.to)).toHaveLength(1);
      });
    }
  });
});

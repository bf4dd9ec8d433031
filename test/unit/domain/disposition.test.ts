import { describe, expect, test } from 'vitest';
import {
  backoffSeconds,
  type Disposition,
  type DispositionContext,
  dispositionOf,
  type LegFact,
  outcomeRow,
  outcomes,
} from '../../../domain/call/disposition.js';

const firstTry: DispositionContext = { invite: 1, freeTries: 0, throttledSeconds: 0, consecutiveSilences: 0 };

const refused = (sipStatusCode: number, rang = false, sipPhrase?: string): LegFact => ({
  how: 'refused',
  rang,
  sipStatusCode,
  ...(sipPhrase !== undefined && { sipPhrase }),
});
const ended = (status: string, reason: string, permanent = false): Disposition =>
  ({ kind: 'ended', status, permanent, reason }) as Disposition;

const rows: readonly (readonly [what: string, fact: LegFact, expected: Disposition])[] = [
  ['answered, then over', { how: 'ended', rang: true, reason: 'callee_hung_up' }, ended('answered', 'callee_hung_up')],
  ['answered without ringing', { how: 'ended', rang: false }, ended('answered', 'ended')],
  ['an announcement', { how: 'ended', rang: false, reason: 'announcement' }, ended('missed', 'announcement')],
  ['no agent', { how: 'agent_missing', rang: true }, ended('abandoned', 'agent_missing')],
  ['cancelled', { how: 'cancelled', rang: true, reason: 'ended_by_api' }, ended('abandoned', 'ended_by_api')],
  ['rang out', { how: 'ring_timeout', rang: true }, ended('not-answered', 'ring_timeout')],
  ['ring timeout after a 100', { how: 'ring_timeout', rang: false }, ended('missed', 'ring_timeout')],
  ['408 after ringing', refused(408, true), ended('not-answered', 'no_answer')],
  ['480 after ringing', refused(480, true), ended('not-answered', 'no_answer')],
  ['487 after ringing', refused(487, true), ended('not-answered', 'no_answer')],
  ['408 without ringing', refused(408), ended('missed', 'unavailable')],
  ['480 without ringing', refused(480), ended('missed', 'unavailable')],
  ['504 without ringing', refused(504), ended('missed', 'carrier_timeout')],
  ['no response', { how: 'no_response', rang: false }, ended('missed', 'no_response')],
  ['486', refused(486, true), ended('rejected', 'busy')],
  ['600', refused(600), ended('rejected', 'busy')],
  ['603', refused(603, true), ended('rejected', 'declined')],
  ['607', refused(607), ended('rejected', 'unwanted', true)],
  ['608', refused(608), ended('rejected', 'rejected_by_network', true)],
  ['410', refused(410), ended('failed', 'invalid_number', true)],
  ['484', refused(484), ended('failed', 'invalid_number', true)],
  ['604', refused(604), ended('failed', 'invalid_number', true)],
  ['404', refused(404), ended('failed', 'not_found')],
  ['404 of a closed account', refused(404, false, 'Not found D19'), fault('404 Not found D19')],
  ['401', refused(401), fault('401 no reason given')],
  ['407', refused(407, false, 'Proxy Authentication Required'), fault('407 Proxy Authentication Required')],
  ['x509', { how: 'gateway_fault', rang: false, words: 'x509' }, fault('x509')],
  ['disabled', refused(403, false, 'Connection is disabled D16'), fault('403 Connection is disabled D16')],
  ['caller id', refused(403, false, 'Invalid Caller D35'), fault('403 Invalid Caller D35')],
  ['bad number by phrase', refused(403, false, 'Number is invalid D11'), ended('failed', 'invalid_number', true)],
  ['rate', refused(503, false, 'Trunk CPS limit exceeded'), requeue('rate', 1)],
  ['rate as 429', refused(429, false, 'Too Many Requests'), requeue('rate', 1)],
  ['rate as 403', refused(403, false, 'D24'), requeue('rate', 1)],
  ['channels', refused(403, false, 'User channel limit exceeded D1'), requeue('channels', 1)],
  ['503', refused(503, false, 'Service Unavailable'), requeue('carrier_unavailable', 1)],
  ['503 without words', refused(503), requeue('carrier_unavailable', 1)],
  ['500', refused(500), requeue('carrier_unavailable', 1)],
  ['502', refused(502), requeue('carrier_unavailable', 1)],
  ['not sent', { how: 'not_sent', rang: false }, requeue('not_sent', 0)],
  ['unknown', { how: 'unknown', rang: true, reason: 'carrier_restarted' }, ended('failed', 'unknown')],
  ['302', refused(302), ended('failed', 'sip_302')],
  ['403 without a known phrase', refused(403, false, 'Forbidden'), ended('failed', 'sip_403')],
  ['429 without a known phrase', refused(429, false, 'Provide Referrer Identity'), ended('failed', 'sip_429')],
  ['487 without ringing', refused(487), ended('failed', 'sip_487')],
  ['488', refused(488), ended('failed', 'sip_488')],
  ['606', refused(606), ended('failed', 'sip_606')],
  ['504 after ringing', refused(504, true), ended('failed', 'sip_504')],
  ['a refusal without a code', { how: 'refused', rang: false }, ended('failed', 'refused')],
  ['a lost code', { how: 'refused', rang: true, reason: 'sip_code_lost' }, ended('failed', 'sip_code_lost')],
  ['declined, the code lost', { how: 'declined', rang: true }, ended('rejected', 'sip_code_lost')],
];

function fault(words: string): Disposition {
  return { kind: 'gateway_fault', words };
}

function requeue(why: Extract<Disposition, { kind: 'requeue' }>['why'], freeTries: number): Disposition {
  return { kind: 'requeue', why, backoffSeconds: 1, freeTries };
}

describe('what the end of an INVITE means', () => {
  test.each(rows)('%s', (_what, fact, expected) => {
    expect(dispositionOf(fact, firstTry)).toEqual(expected);
  });

  // shows: calls.ends
  test('every row of the table is met by a case above or by the limit of silences', () => {
    const met = new Set(rows.map(([, fact]) => outcomeRow(fact, firstTry).what));
    met.add(outcomeRow({ how: 'no_response', rang: false }, { ...firstTry, consecutiveSilences: 9 }).what);
    expect(outcomes.map(({ what }) => what).filter((what) => !met.has(what))).toEqual([]);
  });
});

describe('limits', () => {
  const throttle = refused(503, false, 'Trunk CPS limit exceeded');

  test('the tenth throttling answer ends the attempt as carrier_throttled, the ninth does not', () => {
    expect(dispositionOf(throttle, { ...firstTry, freeTries: 8 })).toMatchObject({ kind: 'requeue', freeTries: 9 });
    expect(dispositionOf(throttle, { ...firstTry, freeTries: 9 })).toEqual(ended('failed', 'carrier_throttled'));
  });

  test('fifteen minutes of throttling end the attempt, however few answers they held', () => {
    expect(dispositionOf(throttle, { ...firstTry, throttledSeconds: 899 })).toMatchObject({ kind: 'requeue' });
    expect(dispositionOf(throttle, { ...firstTry, throttledSeconds: 900 })).toEqual(
      ended('failed', 'carrier_throttled'),
    );
  });

  test.each([500, 502, 503])('%i is free twice, with backoff, then ends the attempt as carrier_unavailable', (code) => {
    expect(dispositionOf(refused(code), { ...firstTry, freeTries: 0 })).toMatchObject({
      backoffSeconds: 1,
      freeTries: 1,
    });
    expect(dispositionOf(refused(code), { ...firstTry, freeTries: 1 })).toMatchObject({
      backoffSeconds: 2,
      freeTries: 2,
    });
    expect(dispositionOf(refused(code), { ...firstTry, freeTries: 2 })).toEqual(ended('failed', 'carrier_unavailable'));
  });

  test('the tenth silence in a row on a gateway is the gateway’s fault and costs its callee nothing', () => {
    const silence: LegFact = { how: 'no_response', rang: false };
    expect(dispositionOf(silence, { ...firstTry, consecutiveSilences: 8 })).toEqual(ended('missed', 'no_response'));
    expect(dispositionOf(silence, { ...firstTry, consecutiveSilences: 9 })).toMatchObject({ kind: 'gateway_fault' });
    expect(dispositionOf(silence, { ...firstTry, consecutiveSilences: 30 })).toMatchObject({ kind: 'gateway_fault' });
  });

  test('what was never sent goes back for ever, more slowly each time, and uses up no free try', () => {
    const notSent: LegFact = { how: 'not_sent', rang: false };
    expect(dispositionOf(notSent, { ...firstTry, invite: 3, freeTries: 1 })).toEqual({
      ...{ kind: 'requeue', why: 'not_sent', backoffSeconds: 4, freeTries: 1 },
    });
    expect(dispositionOf(notSent, { ...firstTry, invite: 500 })).toMatchObject({ kind: 'requeue', backoffSeconds: 60 });
  });

  test('backoff doubles from one second to a minute', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 100].map(backoffSeconds)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });
});

import { describe, expect, test } from 'vitest';
import { aNumber, rowsOf } from '../../support-resources.js';
import { anAccount, api, here } from '../../support.js';
import { aCallThatIs } from '../support.js';

const transfer = (callId: string, transferTo: string) => api.post('/v2/sip/call/transfer', { callId, transferTo });

describe('400', () => {
  const callId = 'call_00000000-0000-7000-8000-000000000000';

  test.each([
    [{ callId }, 'transferTo'],
    [{ transferTo: '+912250000009' }, 'callId'],
    [{ callId, transferTo: '02250000009' }, 'transferTo'],
    [{ callId, transferTo: 'https://example.com' }, 'transferTo'],
    [{ callId, transferTo: 'sip:desk' }, 'transferTo'],
    [{ callId, transferTo: 'sip:desk@pbx.example.com?X-Evil=1' }, 'transferTo'],
    [{ callId, transferTo: 'sip:desk@pbx.example.com\r\nX-Evil: 1' }, 'transferTo'],
    [{ callId, transferTo: 'sip:desk@pbx.example.com;method=BYE' }, 'transferTo'],
  ])('%j is refused, naming the field', async (body, field) => {
    const response = await api.post('/v2/sip/call/transfer', body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [expect.stringMatching(new RegExp(`^${field}: `))] });
  });
});

describe('403', () => {
  const transfersOf = (callId: string) => rowsOf('select 1 from call_transfers where call_id = $1', [callId]);

  test.each([
    ['+19002345678', 'another country, premium rate', 'guardrails'],
    ['sip:+881612345678@pbx.example.com', 'a satellite telephone behind a SIP address', 'guardrails'],
    ['tel:+4915112345678', 'a country that none of the account’s numbers is of', 'DE'],
  ])('no transfer reaches %s: %s', async (transferTo, _what, words) => {
    const { id, uuid } = await aCallThatIs('answered');
    const response = await transfer(id, transferTo);
    expect(response.status).toBe(403);
    expect(response.body).toEqual({ message: expect.stringContaining(words) });
    expect(await transfersOf(uuid)).toEqual([]);
  });

  test('nor a number on the do-not-call list', async () => {
    const { id, uuid } = await aCallThatIs('answered');
    const listed = aNumber();
    await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [here().me.account.id, listed]);
    const response = await transfer(id, listed);
    expect(response.status).toBe(403);
    expect(response.body).toEqual({ message: expect.stringContaining('do-not-call') });
    expect(await transfersOf(uuid)).toEqual([]);
  });

  test('nor to any number while all dialing of the account is stopped', async () => {
    const { id, uuid } = await aCallThatIs('answered');
    await api.post('/v1/account/stop-dialing');
    const response = await transfer(id, 'sip:desk@pbx.example.com');
    await api.post('/v1/account/resume-dialing');
    expect(response.status).toBe(403);
    expect(response.body).toEqual({ message: expect.stringContaining('stopped') });
    expect(await transfersOf(uuid)).toEqual([]);
  });

  test('nor the country of an inbound caller: only the account’s own numbers allow theirs', async () => {
    const { id, uuid } = await aCallThatIs('answered');
    await rowsOf(
      `update calls set type = 'inbound', from_number = '+4915112345679', to_number = from_number where id = $1`,
      [uuid],
    );
    expect((await transfer(id, '+4915112345678')).status).toBe(403);
    expect((await transfer(id, '+912250000009')).status).toBe(200);
  });

  describe.each(['cold', 'warm'])('%s: a target that is in the call already', (mode) => {
    const ask = async (callId: string, transferTo: string) =>
      api.post('/v2/sip/call/transfer', { callId, transferTo, mode });

    test('not the callee, and no transfer is stored', async () => {
      const { id, uuid, to } = await aCallThatIs('answered');
      expect(await ask(id, to)).toMatchObject({
        status: 403,
        body: { message: `${to} is the number of the callee, who is in this call already` },
      });
      expect(await transfersOf(uuid)).toEqual([]);
    });

    test('not the caller of a call that came in', async () => {
      const { id, uuid, to } = await aCallThatIs('answered');
      await rowsOf(
        `update calls set type = 'inbound', from_number = to_number, to_number = from_number where id = $1`,
        [uuid],
      );
      expect((await ask(id, to)).body).toEqual({
        message: `${to} is the number of the caller, who is in this call already`,
      });
      expect(await transfersOf(uuid)).toEqual([]);
    });
  });

  test.each([
    ['sip:0118816345678@sip.x.com', 400],
    ['sip:9011881634567890@sip.x.com', 400],
    ['sip:+44~7700900000@sip.x.com', 400],
    ['sip:9005551234@sip.x.com', 400],
    ['sip:+19005551230@sip.x.com', 403],
    ['sip:881634567890@sip.x.com', 403],
  ])('P2-1: %s is not called: %i', async (transferTo, status) => {
    const { id, uuid } = await aCallThatIs('answered');
    expect((await transfer(id, transferTo)).status).toBe(status);
    expect(await transfersOf(uuid)).toEqual([]);
  });

  test('P2-1: a number on the do-not-call list is not reached by writing it otherwise', async () => {
    const { id, uuid } = await aCallThatIs('answered');
    const listed = aNumber();
    await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [here().me.account.id, listed]);
    const digits = listed.slice(1);
    for (const user of [digits, `00${digits}`, `+${digits}`, digits.slice(2), `0${digits.slice(2)}`, `011${digits}`]) {
      expect([400, 403]).toContain((await transfer(id, `sip:${user}@sip.x.com`)).status);
    }
    expect(await transfersOf(uuid)).toEqual([]);
  });
});

describe('404', () => {
  test('an unknown call and one of another account are not found, in the same words, and theirs is not transferred', async () => {
    const { id, uuid } = await aCallThatIs('answered');
    const { token } = await anAccount();
    const transferTo = '+912250000009';
    const answers = await Promise.all([
      api.post('/v2/sip/call/transfer', { callId: id, transferTo }, { token }),
      api.post('/v2/sip/call/transfer', { callId: 'call_00000000-0000-7000-8000-000000000000', transferTo }),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ message: 'Call not found' });
    }
    expect(await rowsOf('select 1 from call_transfers where call_id = $1', [uuid])).toEqual([]);
  });
});

describe('409', () => {
  const transfer = (callId: string) => api.post('/v2/sip/call/transfer', { callId, transferTo: '+912250000009' });

  // shows: calls.transfer.409
  test.each([
    ['queued', 'Only an answered call can be transferred'],
    ['ringing', 'Only an answered call can be transferred'],
    ['ended', 'The call is over'],
  ] as const)('a call that is %s cannot be transferred', async (phase, message) => {
    const response = await transfer((await aCallThatIs(phase)).id);
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message });
  });

  test('a call that is being hung up cannot be transferred', async () => {
    const { id } = await aCallThatIs('answered');
    await api.post('/v2/sip/call/end', { callId: id });
    expect(await transfer(id)).toMatchObject({ status: 409, body: { message: 'The call is being hung up' } });
  });

  // shows: calls.transfer.409
  test('of two transfers at once, one is made', async () => {
    const { id } = await aCallThatIs('answered');
    const answers = await Promise.all([transfer(id), transfer(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

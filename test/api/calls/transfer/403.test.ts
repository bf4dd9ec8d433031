import { expect, test } from 'vitest';
import { api, here } from '../../support.js';
import { aNumber, rowsOf } from '../../support-resources.js';
import { aCallThatIs } from '../support.js';

const transfer = (callId: string, transferTo: string) => api.post('/v2/sip/call/transfer', { callId, transferTo });
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

test('nor anybody while all dialing of the account is stopped', async () => {
  const { id, uuid } = await aCallThatIs('answered');
  await api.post('/v1/account/stop-dialing');
  const response = await transfer(id, 'sip:desk@pbx.example.com');
  await api.post('/v1/account/resume-dialing');
  expect(response.status).toBe(403);
  expect(response.body).toEqual({ message: expect.stringContaining('stopped') });
  expect(await transfersOf(uuid)).toEqual([]);
});

test('nor the country of whoever called in: only the account’s own numbers allow theirs', async () => {
  const { id, uuid } = await aCallThatIs('answered');
  await rowsOf(
    `update calls set type = 'inbound', from_number = '+4915112345679', to_number = from_number where id = $1`,
    [uuid],
  );
  expect((await transfer(id, '+4915112345678')).status).toBe(403);
  expect((await transfer(id, '+912250000009')).status).toBe(200);
});

test.each([
  ['sip:0118816345678@sip.x.com', 400],
  ['sip:9011881634567890@sip.x.com', 400],
  ['sip:+44~7700900000@sip.x.com', 400],
  ['sip:9005551234@sip.x.com', 400],
  ['sip:+19005551230@sip.x.com', 403],
  ['sip:881634567890@sip.x.com', 403],
])('P2-1: %s reaches nobody: %i', async (transferTo, status) => {
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

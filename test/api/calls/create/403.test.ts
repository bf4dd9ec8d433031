import { expect, test } from 'vitest';
import { anAccount, api, here } from '../../support.js';
import { aCallingNumber, aNumber, rowsOf } from '../../support-resources.js';

// shows: calls.do-not-call
test('a number on the do-not-call list is not called, whatever is asked', async () => {
  const { e164 } = await aCallingNumber();
  const sipCallTo = aNumber();
  await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [here().me.account.id, sipCallTo]);

  const response = await api.post('/v2/sip/call', { sipCallTo, sipCallFrom: e164 });

  expect(response.status).toBe(403);
  expect(response.body).toEqual({ message: expect.stringContaining('do-not-call') });
  expect(await rowsOf('select 1 from calls where to_number = $1', [sipCallTo])).toEqual([]);
});

test('another account’s list does not count', async () => {
  const other = await anAccount();
  const { e164 } = await aCallingNumber();
  const sipCallTo = aNumber();
  await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [other.account.id, sipCallTo]);
  expect((await api.post('/v2/sip/call', { sipCallTo, sipCallFrom: e164 })).status).toBe(201);
});

test('while all dialing of the account is stopped, no call is made, and the next one is when it has been resumed', async () => {
  const { e164 } = await aCallingNumber();
  const body = { sipCallTo: aNumber(), sipCallFrom: e164 };
  const accountId = here().me.account.id;
  await rowsOf('update accounts set dialing_stopped_at = now() where id = $1', [accountId]);
  const response = await api.post('/v2/sip/call', body);
  await rowsOf('update accounts set dialing_stopped_at = null where id = $1', [accountId]);

  expect(response.status).toBe(403);
  expect(response.body).toEqual({ message: expect.stringContaining('stopped') });
  expect(await rowsOf('select 1 from calls where to_number = $1', [body.sipCallTo])).toEqual([]);
  expect((await api.post('/v2/sip/call', body)).status).toBe(201);
});

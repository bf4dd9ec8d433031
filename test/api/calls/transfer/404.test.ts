import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aCallThatIs } from '../support.js';

test('a call of nobody and of another account is not found, in the same words, and is not transferred', async () => {
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

import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aCallThatIs } from '../support.js';

test('a call of nobody and of another account is not found, in the same words, and goes on', async () => {
  const { id, uuid } = await aCallThatIs('answered');
  const { token } = await anAccount();
  const answers = await Promise.all([
    api.post('/v2/sip/call/end', { callId: id }, { token }),
    api.post('/v2/sip/call/end', { callId: 'call_00000000-0000-7000-8000-000000000000' }),
    api.post('/v2/sip/call/end', { callId: 'nonsense' }),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ message: 'Call not found' });
  }
  expect(await rowsOf('select hang_up_at from call_attempts where call_id = $1', [uuid])).toEqual([
    { hang_up_at: null },
  ]);
});

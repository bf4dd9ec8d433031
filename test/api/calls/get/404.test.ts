import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aCallingNumber, aNumber } from '../../support-resources.js';

test('a call of nobody, of another account and a text that is no id are not found, in the same words', async () => {
  const { e164 } = await aCallingNumber();
  const response = await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: e164 });
  const { id } = (response.body as { data: { id: string } }).data;
  const { token } = await anAccount();

  const answers = await Promise.all([
    api.get(`/v2/sip/call/${id}`, { token }),
    api.get('/v2/sip/call/call_00000000-0000-7000-8000-000000000000'),
    api.get(`/v2/sip/call/${id.replace('call_', 'rec_')}`),
    api.get('/v2/sip/call/nonsense'),
    api.get("/v2/sip/call/call_'%20or%201=1--"),
  ]);

  for (const answer of answers) {
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ message: 'Call not found' });
  }
});

import { expect, test } from 'vitest';
import { api } from '../../support.js';

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

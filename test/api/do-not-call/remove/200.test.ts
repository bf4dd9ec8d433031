import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aCallingNumber, aNumber, rowsOf } from '../../support-resources.js';
import { url } from '../support.js';

// shows: dnc.remove
test('the number may be called again, and the audit log does not name it', async () => {
  const { e164 } = await aCallingNumber();
  const number = aNumber();
  const call = () => api.post('/v2/sip/call', { sipCallTo: number, sipCallFrom: e164 });
  await api.post(url, { phoneNumbers: [number] });
  expect((await call()).status).toBe(403);

  const removed = await api.delete(`${url}/${number}`);
  expect(removed.status).toBe(200);
  expect(removed.body).toEqual({ message: expect.any(String) });

  expect((await call()).status).toBe(201);
  const log = JSON.stringify(await rowsOf("select * from audit_log where action = 'do-not-call.remove'"));
  expect(log).toContain('contact_');
  expect(log).not.toContain(number.slice(1));
});

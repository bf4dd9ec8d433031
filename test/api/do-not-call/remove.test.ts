import { describe, expect, test } from 'vitest';
import { aCallingNumber, aNumber, rowsOf } from '../support-resources.js';
import { anAccount, api } from '../support.js';
import { url } from './support.js';

describe('200', () => {
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
});

describe('404', () => {
  test('a number that is not on the list is not found, in the same words as another account’s', async () => {
    const { token } = await anAccount();
    const theirs = aNumber();
    await api.post(url, { phoneNumbers: [theirs] }, { token });
    const [unknown, anothers, none] = [
      await api.delete(`${url}/${aNumber()}`),
      await api.delete(`${url}/${theirs}`),
      await api.delete(`${url}/nobody`),
    ];
    for (const response of [unknown, anothers, none]) {
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ error: 'The number is not on the do-not-call list' });
    }
    expect(await rowsOf('select 1 from do_not_call where e164 = $1', [theirs])).toHaveLength(1);
  });
});

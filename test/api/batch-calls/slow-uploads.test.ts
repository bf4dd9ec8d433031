import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { anAccount, anotherApp, here } from '../support.js';
import { aRoute, csv, fields, multipart } from './support.js';

test('P2-7: accounts that send their files a byte now and then do not keep another one from sending its own', async () => {
  const { phoneNumber } = await aRoute();
  const app = await anotherApp({});
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const { body, contentType } = multipart([csv(), ...fields({ name: 'Tonight', phoneNumber })]);

  const begin = (token: string): ClientRequest => {
    const headers = { authorization: token, 'content-type': contentType };
    const sent = request(`${address}/v1/batch-calls/validate`, { method: 'POST', headers, agent: false });
    sent.on('error', () => undefined); // those that still send when the test is over
    sent.write(body.subarray(0, 60));
    return sent;
  };
  const slow: ClientRequest[] = [];
  onTestFinished(() => {
    for (const each of slow) each.destroy();
  });
  for (let account = 0; account < 8; account += 1) {
    const { token } = await anAccount();
    for (let each = 0; each < 3; each += 1) slow.push(begin(token));
  }
  const refused = Promise.any(slow.map(async (each) => (await once(each, 'response')) as [IncomingMessage]));

  const honest = await fetch(`${address}/v1/batch-calls/validate`, {
    method: 'POST',
    headers: { authorization: here().me.token, 'content-type': contentType },
    body: new Uint8Array(body),
  });
  expect([honest.status, await honest.json()]).toEqual([200, expect.objectContaining({ valid: true })]);
  const [answer] = await refused;
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  expect(await json(answer)).toEqual({ error: expect.stringContaining('other accounts wait to send files') });
}, 60_000);

import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { outdialHere, type Ended } from './commands.js';

const id = 'call_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e52';
const earlier = { mode: 'warm', to: '+14155550108', status: 'failed', message: 'Busy Here' };
let transfers: object[];
/** What became of the transfer, answer by answer. */
let course: object[];
let orders: unknown[];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    if (request.method === 'POST') {
      orders.push(JSON.parse(body));
      transfers = [...transfers, {}];
    }
    const next = course[0];
    if (orders.length > 0 && next !== undefined) transfers = [...transfers.slice(0, -1), next];
    if (request.method === 'GET' && orders.length > 0 && course.length > 1) course.shift();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ message: 'ok', data: { id, status: 'answered', transfers } }));
  });
});
beforeEach(async () => {
  [transfers, course, orders] = [[earlier], [], []];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

function outdial(...words: string[]): Promise<Ended> {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return outdialHere(words, { OUTDIAL_URL: `http://127.0.0.1:${port}`, OUTDIAL_TOKEN: 'token' });
}
const to = '+14155550109';
const of = (status: string, message?: string) => ({ mode: 'warm', to, status, message });

test('`call transfer` orders a cold transfer, `--warm` a warm one, and does not wait', async () => {
  const cold = await outdial('call', 'transfer', id, to);
  expect(cold).toMatchObject({ code: 0, stdout: expect.stringContaining('the carrier connects') });
  const warm = await outdial('call', 'transfer', id, to, '--warm');
  expect(warm).toMatchObject({ code: 0, stdout: expect.stringContaining('whether it takes the call') });
  expect(orders).toEqual([
    { callId: id, transferTo: to, mode: 'cold' },
    { callId: id, transferTo: to, mode: 'warm' },
  ]);
});

test('`call transfer --wait` waits until this transfer is over, not an earlier one: 0 if it was taken, else 1', async () => {
  course = [of('under-way'), of('transferred')];
  const taken = await outdial('call', 'transfer', id, to, '--warm', '--wait');
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining(`warm to ${to}: transferred`) });
  [transfers, course, orders] = [[earlier], [of('under-way'), of('failed', 'every line is taken')], []];
  const failed = await outdial('call', 'transfer', id, to, '--warm', '--wait');
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('failed, every line is taken') });
});

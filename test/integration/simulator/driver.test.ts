import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reservedPort } from '../../../embedded/free-port.js';
import { AnswerLost, type AttemptResult, ProviderUnreachable } from '../../../telephony/provider.js';
import { createSimulatorProvider } from '../../../telephony/simulator/driver.js';
import { type CarrierProcess, orderTo, startCarrierProcess } from './carrier-process.js';

let carrier: CarrierProcess;
beforeAll(async () => {
  carrier = await startCarrierProcess('--speed', '100');
});
afterAll(() => carrier.kill());

test('a dial that was prepared leaves in the next turn of the event loop, however busy the process is afterwards', async () => {
  const driver = createSimulatorProvider({ url: carrier.url });
  const order = orderTo('+15550100121');
  await driver.prepare(order);

  const end = driver.dial(order, () => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  const giveUpAt = performance.now() + 120_000;
  let arrived = false;
  // The event loop of this process stands still: what leaves later than now cannot arrive.
  while (!arrived && performance.now() < giveUpAt) {
    arrived = readFileSync(carrier.ledgerPath, 'utf8').includes(`"callId":"${order.callId}"`);
  }
  expect(arrived).toBe(true);
  await end;
  await driver.close();
});

test('a driver that is closed has sent nothing of what it is asked afterwards, and has lost what was under way', async () => {
  const driver = createSimulatorProvider({ url: carrier.url });
  const order = orderTo('+15550100123', { ringTimeoutSeconds: 10_000 });
  const underWay = driver.dial(order, ({ type }) => type === 'ringing' && void driver.close());
  await expect(underWay).rejects.toBeInstanceOf(AnswerLost);
  await expect(driver.dial(orderTo('+15550100121'), () => undefined)).rejects.toBeInstanceOf(ProviderUnreachable);
});

test.each(['refused', 'unknown host'])('if no connection comes about (%s) nothing was sent', async (why) => {
  const url = why === 'refused' ? `http://127.0.0.1:${await reservedPort()}` : 'http://carrier.invalid:9070';
  const driver = createSimulatorProvider({ url });
  const order = orderTo('+15550100121');
  await expect(driver.dial(order, () => undefined)).rejects.toBeInstanceOf(ProviderUnreachable);
  await expect(driver.reconcile(order)).rejects.toBeInstanceOf(ProviderUnreachable);
  await driver.close();
});

/** Dials something that answers every order in the same odd way. */
async function dialOdd(answer: { statusCode: number; body?: string } | 'hangs up'): Promise<AttemptResult> {
  const server = createServer((request, response) => {
    if (answer === 'hangs up') request.socket.destroy();
    else response.writeHead(answer.statusCode).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const driver = createSimulatorProvider({ url: `http://127.0.0.1:${port}` });
  try {
    return await driver.dial(orderTo('+15550100121'), () => undefined);
  } finally {
    await driver.close();
    server.close();
  }
}

test('an order that the carrier cannot read was not sent', async () => {
  expect(await dialOdd({ statusCode: 400 })).toMatchObject({ how: 'not_sent' });
});

test.each([
  ['breaks down over the order', { statusCode: 500 }],
  ['hangs up on the order', 'hangs up'],
  ['stops in the middle of a leg', { statusCode: 200, body: '{"type":"placed"}\n' }],
  ['stops in the middle of a line', { statusCode: 200, body: '{"type":"placed"}\n{"type":"ov' }],
] as const)('a carrier that %s may have placed it: the answer is lost', async (_what, answer) => {
  await expect(dialOdd(answer)).rejects.toBeInstanceOf(AnswerLost);
});

test('no secret of the gateway is sent to the carrier', async () => {
  let sent = '';
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (sent += chunk.toString()));
    request.on('end', () => response.writeHead(400).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const driver = createSimulatorProvider({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  await driver.dial(orderTo('+15550100121'), () => undefined);
  await driver.close();
  server.close();
  expect(sent).toContain('+15550100121');
  expect(sent).not.toContain('secret');
});

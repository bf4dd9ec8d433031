import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { fastify } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { createCustomer } from '../../soak/customer.js';
import { createJournal } from '../../soak/journal.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The port of a server whose first clients are passed on to `target` for their first bytes only. */
async function cuttingOff(target: number, clients: number): Promise<number> {
  let cut = 0;
  const front = createServer({ allowHalfOpen: true }, (client) => {
    const isCut = cut++ < clients;
    const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.once('data', (bytes) => {
      if (isCut) server.end(bytes.subarray(0, 30));
      else server.write(bytes);
      if (!isCut) client.pipe(server);
    });
    server.pipe(client);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  closers.push(() => front.close());
  return (front.address() as AddressInfo).port;
}

test('an order of which a part arrived is sent again, and its answer is the one to the whole', async () => {
  const app = fastify();
  let orders = 0;
  app.post('/order', () => ({ orders: ++orders }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  closers.push(() => app.close());
  const url = `http://127.0.0.1:${await cuttingOff((app.server.address() as AddressInfo).port, 2)}`;
  const signal = new AbortController().signal;
  const customer = createCustomer('acc_1', 'token', { urls: [url], journal: createJournal(), signal });

  const answer = await customer.ask({ method: 'POST', path: '/order', body: { pause: true } });

  expect(answer).toMatchObject({ status: 200, body: { orders: 1 } });
  expect(answer.ghostUntilMs).toBeGreaterThan(Date.now());
});

import type * as Crypto from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { freePort, isPortFree, reservedPort } from '../../../embedded/free-port.js';

const drawn: number[] = [];
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>();
  return { ...crypto, randomInt: (from: number, to: number) => drawn.shift() ?? crypto.randomInt(from, to) };
});

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  drawn.splice(0);
});

/** As another process keeps a port by its sign. */
async function isUdpFree(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  closing.push(() => socket.close());
  socket.bind(port, '127.0.0.1');
  return once(socket, 'listening').then(
    () => true,
    () => false,
  );
}

test.each([freePort, reservedPort])('%o gives no port twice, though nothing listens on the first yet', async (get) => {
  const first = await get();
  const other = await get();
  drawn.push(first, other, first);
  expect([first, other]).not.toContain(await get());
});

test.each([freePort, reservedPort])('%o gives no port that another process has reserved', async (get) => {
  const theirs = await freePort();
  vi.resetModules();
  const { [get.name as 'freePort' | 'reservedPort']: getOfAnother } = await import('../../../embedded/free-port.js');
  expect(await isUdpFree(theirs)).toBe(true);
  drawn.push(theirs);
  expect(await getOfAnother()).not.toBe(theirs);
});

test('a reserved port has its sign until the process ends, and can be listened on', async () => {
  const port = await reservedPort();
  expect(await isUdpFree(port)).toBe(false);
  expect(await isPortFree(port)).toBe(true);
});

test('a free port can be listened on by TCP and by UDP; one that is listened on is not free', async () => {
  const port = await freePort();
  expect(await isUdpFree(port)).toBe(true);
  const server = createServer();
  closing.push(() => server.close());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await isPortFree(port)).toBe(false);
});

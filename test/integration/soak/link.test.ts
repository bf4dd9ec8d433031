import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Link, openLink } from '../../soak/link.js';

let server: Server;
let link: Link;
/** What the server has read, in the order of its connections. */
let heard: string[];
const clients: Socket[] = [];

beforeEach(async () => {
  heard = [];
  server = createServer({ allowHalfOpen: true }, (socket) => {
    const place = heard.push('') - 1;
    socket.on('error', () => undefined);
    socket.on('end', () => (heard[place] = `${heard[place] ?? ''}(end)`));
    socket.on('data', (bytes) => {
      heard[place] = `${heard[place] ?? ''}${bytes.toString()}`;
      socket.write(`answer to ${bytes.toString()}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  link = await openLink('client>server', (server.address() as AddressInfo).port);
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await link.close();
  server.close();
});

interface Client {
  readonly socket: Socket;
  readonly read: () => string;
  readonly isOver: () => boolean;
}

function open(): Client {
  const socket = connect({ port: link.port, host: '127.0.0.1', allowHalfOpen: true });
  clients.push(socket);
  let text = '';
  let over = false;
  socket.on('data', (bytes) => (text += bytes.toString()));
  socket.on('error', () => (over = true));
  socket.on('close', () => (over = true));
  return { socket, read: () => text, isOver: () => over };
}

async function opened(words: string): Promise<Client> {
  const client = open();
  client.socket.write(words);
  await expect.poll(client.read).toBe(`answer to ${words}`);
  return client;
}

test('a link passes everything on until it is made to fail', async () => {
  const client = await opened('one');
  client.socket.end();
  await expect.poll(() => heard).toEqual(['one(end)']);
  expect(link.connections).toBe(1);
});

test('a link that is cut resets its connections and takes new ones', async () => {
  const client = await opened('one');
  link.cut();
  await expect.poll(client.isOver).toBe(true);
  await opened('two');
});

test('the answer of a request is lost after the request has been carried out', async () => {
  const client = await opened('begin');
  const lost = link.loseAnswer('commit', 20_000);
  client.socket.write('insert');
  await expect.poll(client.read).toBe('answer to beginanswer to insert');
  client.socket.write('commit');
  expect(await lost).toBe(true);
  await expect.poll(client.isOver).toBe(true);
  expect(heard).toEqual(['begininsertcommit']);
  expect(client.read()).toBe('answer to beginanswer to insert');
});

test('an answer is not lost if no such request comes', async () => {
  const lost = link.loseAnswer('commit', 50);
  await opened('one');
  expect(await lost).toBe(false);
  await opened('commit');
});

test('a link that is held or slow passes everything on later, in its order', async () => {
  const client = await opened('one');
  link.hold(300);
  const sinceMs = performance.now();
  client.socket.write('two');
  await expect.poll(client.read).toBe('answer to oneanswer to two');
  expect(performance.now() - sinceMs).toBeGreaterThanOrEqual(290);
  link.slow(200, 60_000);
  const slowSinceMs = performance.now();
  client.socket.write('three');
  await expect.poll(client.read).toBe('answer to oneanswer to twoanswer to three');
  expect(performance.now() - slowSinceMs).toBeGreaterThanOrEqual(390);
});

test('a link that refuses lets no connection in', async () => {
  link.refuse(60_000);
  const client = open();
  await expect.poll(client.isOver).toBe(true);
  expect(heard).toEqual([]);
});

test('a client whose connection is closed towards the server believes that all is well and is not heard', async () => {
  const client = await opened('one');
  link.halfClose('server', 60_000);
  await expect.poll(() => heard).toEqual(['one(end)']);
  client.socket.write('two');
  await opened('three');
  expect(heard).toEqual(['one(end)', 'three']);
  expect(client.isOver()).toBe(false);
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuardedFetch } from '../../platform/outbound-url.js';
import { callHttpTool, type HttpTool } from '../conversation/http-tool.js';

const asked: { method: string | undefined; url: string | undefined; headers: object; body: string }[] = [];
const server: Server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    asked.push({ method: request.method, url: request.url, headers: request.headers, body });
    if (request.url === '/slow') return;
    if (request.url === '/long') response.end('x'.repeat(100_000));
    else response.writeHead(201).end('{"stock":3}');
  });
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const open = createGuardedFetch({ allowPrivate: true, allowInsecure: true });
const never = new AbortController().signal;
const tool = (path: string, change: Partial<HttpTool> = {}): HttpTool => ({
  name: 'stock',
  description: 'Stock',
  parameters: {},
  method: 'POST',
  url: `${origin}${path}`,
  headers: { authorization: 'Bearer secret' },
  timeoutSeconds: 5,
  ...change,
});

test('a tool gets the arguments as JSON with its own headers, and the model status and body', async () => {
  expect(JSON.parse(await callHttpTool(tool('/stock'), { item: 'A1' }, open, never))).toEqual({
    status: 201,
    body: '{"stock":3}',
  });
  expect(asked.at(-1)).toMatchObject({
    method: 'POST',
    url: '/stock',
    body: '{"item":"A1"}',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
  });
});

test('of a long answer the model gets the beginning', async () => {
  const { body } = JSON.parse(await callHttpTool(tool('/long'), {}, open, never)) as { body: string };
  expect(body).toHaveLength(16_000);
});

test('a server that does not answer in time is an answer, which tells neither address nor headers', async () => {
  const answer = await callHttpTool(tool('/slow', { timeoutSeconds: 0.05 }), {}, open, never);
  expect(JSON.parse(answer)).toEqual({ error: 'The request took too long.' });
});

test('the end of the call ends the request', async () => {
  const over = AbortSignal.timeout(30);
  expect(await callHttpTool(tool('/slow'), {}, open, over)).toContain('error');
});

test('a private address is not asked if the operator forbids it', async () => {
  const guarded = createGuardedFetch({ allowPrivate: false, allowInsecure: true });
  const before = asked.length;
  expect(JSON.parse(await callHttpTool(tool('/stock'), {}, guarded, never))).toEqual({
    error: 'The request failed: the server could not be reached.',
  });
  expect(asked).toHaveLength(before);
  await guarded.close();
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createObjectStore, ObjectStoreFailed } from '../../platform/object-store.js';
import { completeChat, NoAnswer, tryHearing, trySpeech } from '../../platform/openai-protocol.js';
import { createCampaignSchedules } from '../../worker/campaign-schedules.js';
import { createWatchdogSchedule, registerSearchAttributes } from '../../worker/temporal-setup.js';
import { requireVersions } from '../../worker/worker-versions.js';
import { type SilentServer, startSilentServer } from './silent-server.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0).reverse()) await close();
});
async function aSilentServer(begins?: string): Promise<SilentServer> {
  const server = await startSilentServer(begins);
  closers.push(() => server.close());
  return server;
}

const beginsToAnswer =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"choices": [{"message": {"content": "Y';

describe('an object store that takes requests and does not answer', () => {
  const place = { bucket: 'calls', key: 'a.ogg' };
  async function aStore(begins?: string) {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
    const { port } = await aSilentServer(begins);
    return createObjectStore({ region: 'us-east-1', endpoint: `http://127.0.0.1:${port}` }, 200);
  }

  // shows: silent.store
  test('is given up, and its client warns of no Node that the README allows', async () => {
    const store = await aStore();
    const warn = vi.spyOn(process, 'emitWarning');
    await expect(store.get(place, { first: 0, last: 9 })).rejects.toThrow(ObjectStoreFailed);
    await expect(store.remove(place)).rejects.toThrow(ObjectStoreFailed);
    const upload = store.put(place, Readable.from(['0123456789']), 10, new AbortController().signal);
    await expect(upload).rejects.toThrow(ObjectStoreFailed);
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
  });

  test('is given up in the middle of an object, too', async () => {
    const store = await aStore('HTTP/1.1 206 Partial Content\r\ncontent-length: 10\r\n\r\n01234');
    const sound = await store.get(place, { first: 0, last: 9 });
    await expect(Readable.from(sound).toArray()).rejects.toThrow(/timed out/);
  });
});

describe('a model that begins to answer', () => {
  const asked = (port: number, timeoutMs: number) => ({
    ...{ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k', model: 'm', timeoutMs },
    messages: [{ role: 'user' as const, content: 'Hello' }],
  });

  // shows: silent.model
  test('and does not go on is given up, whatever it was asked', async () => {
    const { port } = await aSilentServer(beginsToAnswer);
    await expect(completeChat(asked(port, 200))).rejects.toMatchObject({ name: 'NoAnswer', transient: true });
    await expect(tryHearing(asked(port, 200))).rejects.toThrow(NoAnswer);
    await trySpeech({ ...asked(port, 200), voice: 'v', text: 'Yes.' });
  });

  test('and never ends fills no memory', async () => {
    let sent = 0;
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x20))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => server.close(() => resolve())));
    const { port } = server.address() as AddressInfo;
    await expect(completeChat(asked(port, 60_000))).rejects.toThrow(NoAnswer);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });
});

// shows: silent.temporal
test('a Temporal that takes connections and does not answer holds up no round of the watchdog, and no start of a worker, for ever', async () => {
  const { port } = await aSilentServer();
  const connection = Connection.lazy({ address: `127.0.0.1:${port}` });
  closers.push(() => connection.close());
  const client = new Client({ connection, namespace: 'default' });
  const rounds = [
    createCampaignSchedules(client, 'queue', 300).list(),
    createWatchdogSchedule(client, 'queue', 300),
    registerSearchAttributes(client, 'default', 300),
    requireVersions(client, 'default', 'queue', 300),
  ];
  for (const round of await Promise.allSettled(rounds)) {
    expect(round.status).toBe('rejected');
    expect(inspect(round, { depth: 8 })).toMatch(/DEADLINE_EXCEEDED|deadline/i);
  }
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OpenAiRealtime } from '../models/realtime.js';
import { createRealtimeServer, type RealtimeServer } from './realtime-server.js';
import type { Fault } from './speech-script.js';

initializeLogger({ pretty: false, level: 'silent' });

let connections: number;
let faultOf: () => Fault | undefined;
let fake: RealtimeServer;
let server: Server;
let baseUrl: string;
beforeEach(async () => {
  connections = 0;
  faultOf = () => undefined;
  fake = createRealtimeServer({
    faultOf: () => faultOf(),
    scriptOf: () => ({ hears: [], answers: [] }),
    asked: () => undefined,
    spoken: () => undefined,
    requested: () => {
      connections += 1;
    },
  });
  server = createServer().on('upgrade', fake.take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(async () => {
  fake.close();
  await new Promise((resolve) => server.close(resolve));
});

/** A session with a model, and the words of its errors. */
function open(url = baseUrl) {
  const session = new OpenAiRealtime({ voice: null, baseUrl: url, model: 'm', apiKey: 'key', ms: 400 }).session();
  const errors: string[] = [];
  session.on('error', ({ error }: { readonly error: Error }) => errors.push(error.message));
  return { session, errors };
}

// An error that nothing catches would end the process of the conversation, and this test.
test.each([0, 1, 2])(
  'a line that does not open, after %s that did, is a failure of the model and nothing else',
  async (opened) => {
    faultOf = () => (connections > opened ? 'silence' : undefined);
    const { session, errors } = open();
    await expect
      .poll(() => {
        fake.cut('m');
        return errors;
      })
      .toContain('the realtime model does not open the line');
    expect(connections).toBeGreaterThan(opened);
    await session.close();
  },
);

test.each<[Fault, RegExp]>([
  ['error', /refuses with status 500/],
  ['drop', /socket hang up/],
])('a line that is refused is a failure of the model: %s', async (fault, words) => {
  faultOf = () => fault;
  const { session, errors } = open();
  await expect.poll(() => errors[0]).toMatch(words);
  await session.close();
});

test('an address at which nothing listens is a failure of the model', async () => {
  const { session, errors } = open('http://127.0.0.1:9/v1');
  await expect.poll(() => errors[0]).toContain('ECONNREFUSED');
  await session.close();
});

test('a conversation opens one line, and none stays open that it has no use for', async () => {
  const kept = open();
  await expect.poll(() => connections).toBe(1);
  const left = open();
  await left.session.close();
  await expect.poll(() => connections).toBe(2);
  await expect.poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))).toBe(1);
  expect(connections).toBe(2);
  await kept.session.close();
});

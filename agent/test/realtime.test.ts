import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RealtimeAnswerLost, OpenAiRealtime } from '../models/realtime.js';
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

/** A session with a model, the words of its errors, and whether each is one after which it can be asked again. */
function open({ url = baseUrl, ms = 400 } = {}) {
  const session = new OpenAiRealtime({ voice: null, baseUrl: url, model: 'm', apiKey: 'key', ms }).session();
  const errors: string[] = [];
  const lost: boolean[] = [];
  session.on('error', ({ error, recoverable }: { readonly error: Error; readonly recoverable: boolean }) => {
    errors.push(error.message);
    // The plug-in has errors of its own, which tell nothing of an answer.
    if (!recoverable || error instanceof RealtimeAnswerLost) lost.push(recoverable);
  });
  return { session, errors, lost };
}

/** Asks for an answer, whatever becomes of it. */
const ask = ({ session }: ReturnType<typeof open>) => void session.generateReply().catch(() => undefined);

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
  const { session, errors } = open({ url: 'http://127.0.0.1:9/v1' });
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

test.each<Fault>(['failed', 'filtered'])(
  'an answer that is %s can be asked for again; the second fails',
  async (fault) => {
    faultOf = () => fault;
    const opened = open({ ms: 20_000 });
    ask(opened);
    await expect.poll(() => opened.lost).toEqual([true]);
    ask(opened);
    await expect.poll(() => opened.lost).toEqual([true, false]);
    await opened.session.close();
  },
);

test('an answer after one that was lost makes up for it', async () => {
  let fault: Fault | undefined = 'failed';
  faultOf = () => fault;
  const opened = open({ ms: 20_000 });
  ask(opened);
  await expect.poll(() => opened.lost).toEqual([true]);
  fault = undefined;
  const answered = new Promise((resolve) => opened.session.once('metrics_collected', resolve));
  ask(opened);
  await answered;
  fault = 'failed';
  ask(opened);
  await expect.poll(() => opened.lost).toEqual([true, true]);
  await opened.session.close();
});

test('an answer that stops in the middle is a failure of the model', async () => {
  faultOf = () => 'half';
  const opened = open();
  const begun = new Promise((resolve) => opened.session.once('generation_created', resolve));
  ask(opened);
  await begun;
  await expect.poll(() => opened.errors).toEqual(['the realtime model does not answer']);
  await opened.session.close();
});

test('an answer during which the line breaks can be asked for again, on another line', async () => {
  faultOf = () => 'half';
  const opened = open({ ms: 20_000 });
  const begun = new Promise((resolve) => opened.session.once('generation_created', resolve));
  ask(opened);
  await begun;
  fake.cut('m');
  await expect.poll(() => opened.lost).toEqual([true]);
  expect(connections).toBe(2);
  faultOf = () => undefined;
  // The plug-in loses the first that is sent on another line. In a call that is a moment of sound.
  await opened.session.clearAudio();
  const answered = new Promise((resolve) => opened.session.once('metrics_collected', resolve));
  ask(opened);
  await answered;
  // Nothing is due this time.
  const again = new Promise((resolve) => opened.session.once('session_reconnected', resolve));
  fake.cut('m');
  await again;
  expect(opened.lost).toEqual([true]);
  await opened.session.close();
});

test('an error is none of the answer that is due, unless it refuses that', async () => {
  let asked: string | undefined;
  faultOf = () => 'stall';
  const opened = open();
  opened.session.on('openai_client_event_queued', (event: { readonly type: string; readonly event_id?: string }) => {
    if (event.type === 'response.create') asked = event.event_id;
  });
  const fails = (event_id: string | undefined) =>
    fake.send('m', { type: 'error', error: { type: 'invalid_request_error', code: null, message: 'No.', event_id } });
  ask(opened);
  await expect.poll(() => asked).toBeDefined();
  fails(asked);
  await expect.poll(() => opened.lost).toEqual([true]);
  asked = undefined;
  ask(opened);
  await expect.poll(() => asked).toBeDefined();
  fails('of something else');
  await expect.poll(() => opened.errors.at(-1)).toBe('the realtime model does not answer');
  await opened.session.close();
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outdialHere } from '../../integration/cli/commands.js';
import { aKey } from '../account/support.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, anotherApp, api, here } from '../support.js';
import { aCallThatIs } from './support.js';

/** Just enough of LiveKit's API: who is in the room, and what was sent to whom. */
let server: Server;
let agents: readonly object[] = [];
const sent: Record<string, unknown>[] = [];
let url = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const isList = request.url?.endsWith('/ListParticipants') === true;
      if (!isList) sent.push(JSON.parse(body) as Record<string, unknown>);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isList ? { participants: agents } : {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const real = (at = url) =>
  anotherApp({
    env: {
      ...here().deps.env,
      OUTDIAL_PROVIDER: 'livekit',
      OUTDIAL_LIVEKIT_URL: at,
      OUTDIAL_LIVEKIT_API_KEY: 'devkey',
      OUTDIAL_LIVEKIT_API_SECRET: 'a secret of at least thirty-two characters',
    },
  });
const whisper = (callId: string, body: object, options: object = {}) =>
  api.post(`/v1/calls/${callId}/whisper`, body, options);

async function aTalk() {
  const call = await aCallThatIs('answered');
  await rowsOf('update calls set simulated = false where id = $1', [call.uuid]);
  await rowsOf("update call_attempts set room = 'the room' where call_id = $1", [call.uuid]);
  agents = [
    { identity: 'callee', kind: 'SIP', state: 'ACTIVE' },
    { identity: 'agent_own', kind: 'AGENT', state: 'ACTIVE', attributes: { 'outdial.callId': call.id } },
    { identity: 'agent_other', kind: 'AGENT', state: 'ACTIVE', attributes: { 'outdial.callId': 'call_other' } },
  ];
  return call;
}

describe('200', () => {
  // shows: calls.whisper
  test('the text goes to the agent of this call alone; the audit log has no word of it', async () => {
    const { id } = await aTalk();
    const response = await whisper(id, { text: ' Offer Friday. ' }, { app: await real() });
    expect([response.status, response.body]).toEqual([200, { message: 'The agent was told.' }]);
    expect(sent.at(-1)).toMatchObject({
      room: 'the room',
      topic: 'outdial.whisper',
      destinationIdentities: ['agent_own'],
      data: Buffer.from('{"text":"Offer Friday.","now":false}').toString('base64'),
    });
    const [entry] = await rowsOf('select action, details from audit_log where target = $1 order by id desc', [id]);
    expect(entry).toEqual({ action: 'call.whisper', details: { characters: 13, now: false } });
  });

  // shows: calls.listen.permission
  test('`outdial call whisper` does it from the command line, and says what came of it', async () => {
    const { id } = await aTalk();
    const app = await real();
    const settings = {
      OUTDIAL_URL: await app.listen({ port: 0, host: '127.0.0.1' }),
      OUTDIAL_TOKEN: here().me.token,
    };
    try {
      const said = await outdialHere(['call', 'whisper', id, 'Offer Monday.', '--now', '-o', 'json'], settings);
      expect(said).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(said.stdout)).toMatchObject({ message: expect.any(String) });
      expect(sent.at(-1)).toMatchObject({ destinationIdentities: ['agent_own'] });
    } finally {
      await app.close();
    }
  });

  test('operate does not whisper, listen does', async () => {
    const { id } = await aTalk();
    const app = await real();
    const [operating, listening] = [await aKey({ permissions: ['operate'] }), await aKey({ permissions: ['listen'] })];
    expect((await whisper(id, { text: 'Hm' }, { app, token: operating.token })).status).toBe(403);
    expect((await whisper(id, { text: 'Hm' }, { app, token: listening.token })).status).toBe(200);
  });
});

describe('400', () => {
  test.each([[{}], [{ text: ' ' }], [{ text: 'x'.repeat(2_001) }], [{ text: 'x', loud: true }]])(
    '%j is refused',
    async (body) => {
      expect((await whisper('call_00000000-0000-7000-8000-000000000000', body)).status).toBe(400);
    },
  );
});

describe('404', () => {
  test('the call of another account is as one that is not there', async () => {
    const { id } = await aTalk();
    const { token } = await anAccount('Whispers');
    expect((await whisper(id, { text: 'Hm' }, { token })).status).toBe(404);
  });
});

describe('409', () => {
  test('a call without an agent in it', async () => {
    const { id } = await aTalk();
    agents = agents.slice(2);
    const before = sent.length;
    expect(await whisper(id, { text: 'Hm' }, { app: await real() })).toMatchObject({
      status: 409,
      text: expect.stringContaining('No agent'),
    });
    expect(sent).toHaveLength(before);
  });
  test('a call that is over', async () => {
    const { id } = await aCallThatIs('ended');
    expect((await whisper(id, { text: 'Hm' }, { app: await real() })).status).toBe(409);
  });
});

describe('503', () => {
  test('a LiveKit that cannot be reached', async () => {
    const { id } = await aTalk();
    expect((await whisper(id, { text: 'Hm' }, { app: await real('http://127.0.0.1:1') })).status).toBe(503);
  });
});

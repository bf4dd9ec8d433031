import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { formatId } from '../../domain/ids.js';
import { createSecretBox } from '../../platform/secret-box.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { english, said, says, talking, timeout } from './talk.js';
import { agentTestEnv, encryptionKey, setUp, type AgentTestEnv } from './test-env.js';

const program = findLiveKitServer();
const secret = 'Bearer a-secret-that-no-one-reads';

describe.skipIf(program === undefined)('what an agent looks up, through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  const asked: { url: string | undefined; authorization: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push({ url: request.url, authorization: request.headers.authorization, body });
      response.writeHead(200).end('{"free":"Tuesday at nine"}');
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const outside = { OUTDIAL_ALLOW_PRIVATE_WEBHOOKS: 'true', OUTDIAL_ALLOW_INSECURE_WEBHOOKS: 'true' };
    testEnv = await agentTestEnv(program ?? '', outside);
  }, setUp);
  afterAll(async () => {
    await testEnv.close();
    server.closeAllConnections();
    server.close();
  });

  /** What the model was shown of its functions' answers. */
  const shown = () =>
    testEnv.speech.asked.flatMap(({ messages }) =>
      messages.filter(({ role }) => role === 'tool').map(({ content }): unknown => JSON.parse(String(content))),
    );

  test('a tool is asked with its parameters and its secret header, which is shown nowhere', { timeout }, async () => {
    const { db } = testEnv.database;
    const id = formatId('tool', uuidv7());
    const { port } = server.address() as AddressInfo;
    const parameters = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };
    await db
      .insertInto('tools')
      .values({
        ...{ id, account_id: testEnv.accountId, name: 'free_slot', description: 'Finds a free slot.', method: 'POST' },
        ...{ url: `http://127.0.0.1:${port}/slots`, parameters: JSON.stringify(parameters) },
        headers_sealed: createSecretBox([encryptionKey]).seal(
          JSON.stringify({ authorization: secret }),
          secretPlaces.toolHeaders(testEnv.accountId, id),
        ),
      })
      .execute();

    const call = await talking(testEnv, { ...english(), tools: [id] });
    const find = { tool: 'free_slot', args: { day: 'Tuesday' } };
    await says(testEnv, call, 'Do you have time on Tuesday?', find, { text: 'On Tuesday at nine.' });
    await said(call, [{}, {}, { speaker: 'agent', text: 'On Tuesday at nine.' }]);
    expect(asked).toEqual([{ url: '/slots', authorization: secret, body: '{"day":"Tuesday"}' }]);
    expect(shown().at(-1)).toBe(JSON.stringify({ status: 200, body: '{"free":"Tuesday at nine"}' }));
    expect(testEnv.speech.asked.at(-1)?.tools).toContain('free_slot');
    for (const read of [testEnv.speech.asked, await call.row()]) expect(JSON.stringify(read)).not.toContain(secret);
    expect(readFileSync(testEnv.log, 'utf8')).not.toContain(secret);
    await call.callee.hangUp();
  });
});

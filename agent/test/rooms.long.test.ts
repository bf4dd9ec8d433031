import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takePlaygroundTurn } from '../../db/queries/agents/playground.js';
import { mostVisitors } from '../../domain/agent/job.js';
import { formatId } from '../../domain/ids.js';
import { createLiveKitClient } from '../../telephony/livekit/client.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { english, said, talking, timeout } from './talk.js';
import { aVisitor } from './visitor.js';
import { agentTestEnv, patience, setUp, type AgentTestEnv } from './test-env.js';

const program = findLiveKitServer();

/** Models of one call, with a script of their own. */
function ownModels(testEnv: AgentTestEnv, name: string) {
  const script = { hears: [] as string[], answers: [] as { text: string }[] };
  const [stt, llm] = [`${name}-stt`, `${name}-llm`];
  testEnv.speech.scripts.set(stt, script).set(llm, script);
  return { script, block: { stt: [{ model: `custom/${stt}` }], llm: [{ model: `custom/${llm}` }] } };
}

describe.skipIf(program === undefined)('rooms and jobs of agents, through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
  }, setUp);
  afterAll(() => testEnv.close());

  const agentOf = async (room: string, callId: string) => {
    const client = createLiveKitClient({ name: 'default', ...testEnv.liveKit });
    const seen = await client.participants(room);
    return seen.find(({ attributes }) => attributes['outdial.callId'] === formatId('call', callId))?.identity;
  };

  test('two calls in one static room hear their own agents, and each ends alone', { timeout }, async () => {
    const place = { room: `static_${uuidv7()}` };
    const [ada, bob] = [ownModels(testEnv, 'ada'), ownModels(testEnv, 'bob')];
    const first = await talking(testEnv, english(ada.block), { first_name: 'Ada' }, place);
    const second = await talking(testEnv, english(bob.block), { first_name: 'Bob' }, place);
    ada.script.hears.push('I am Ada.');
    ada.script.answers.push({ text: 'Hello Ada.' });
    await first.callee.speak(1.6);
    await said(first, [{}, { text: 'I am Ada.' }, { text: 'Hello Ada.' }]);
    bob.script.hears.push('I am Bob.');
    bob.script.answers.push({ text: 'Hello Bob.' });
    await second.callee.speak(1.6);
    await said(second, [{ text: 'Good day Bob, this is the clinic.' }, { text: 'I am Bob.' }, { text: 'Hello Bob.' }]);
    // Exactly these: nothing of the other call is in it, and nothing of it is heard.
    expect((await first.row()).transcript).toHaveLength(3);
    expect(first.callee.heardOf()).toEqual([await agentOf(place.room, first.id)]);
    expect(second.callee.heardOf()).toEqual([await agentOf(place.room, second.id)]);

    await first.callee.hangUp();
    await expect.poll(() => agentOf(place.room, first.id), patience).toBeUndefined();
    bob.script.hears.push('Still there?');
    bob.script.answers.push({ text: 'Yes, Bob.' });
    await second.callee.speak(1.6);
    await said(second, [{}, {}, {}, { text: 'Still there?' }, { text: 'Yes, Bob.' }]);
    await second.callee.hangUp();
  });

  test('a visitor is sent away while the account has as many in the playground as it may', { timeout }, async () => {
    const { database, accountId } = testEnv;
    const agentId = await testEnv.anAgent(english());
    const others = new pg.Pool({ ...database.pool.options, max: mostVisitors + 1 });
    const take = () => takePlaygroundTurn(others, accountId, mostVisitors);
    const turns = (await Promise.all(Array.from({ length: mostVisitors + 1 }, take))).filter((turn) => turn !== null);
    expect(turns).toHaveLength(mostVisitors);
    const session = { metadata: { first_name: 'Ivy' }, maxSeconds: 600 };
    const sentAway = await aVisitor(testEnv, agentId, session);
    await expect.poll(() => sentAway.isGone(), patience).toBe(true);
    turns[0]?.();
    const next = await aVisitor(testEnv, agentId, session);
    await expect.poll(() => testEnv.speech.spoken, patience).toContain('Good day Ivy, this is the clinic.');
    await next.hangUp();
    for (const end of turns.slice(1)) end();
    await others.end();
  });

  test('a visitor of the playground is talked to, and nothing is stored', { timeout }, async () => {
    const agentId = await testEnv.anAgent(english());
    const visitor = await aVisitor(testEnv, agentId, { metadata: { first_name: 'Eve' }, maxSeconds: 600 });
    await expect.poll(() => testEnv.speech.spoken, patience).toContain('Good day Eve, this is the clinic.');
    await expect.poll(() => visitor.heardSeconds(), patience).toBeGreaterThan(0.8);
    testEnv.speech.hears.push('Hello?');
    testEnv.speech.answers.push({ text: 'Hello Eve.' });
    await visitor.speak(1.6);
    await expect.poll(() => testEnv.speech.spoken, patience).toContain('Hello Eve.');
    const stored = await testEnv.database.db.selectFrom('calls').select('id').where('agent_id', '=', agentId).execute();
    expect(stored).toEqual([]);
    await visitor.hangUp();
  });
});

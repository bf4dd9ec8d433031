import { AgentDispatchClient } from 'livekit-server-sdk';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finishReading } from '../../db/queries/knowledge/ingest.js';
import { agentName, formatAgentJob } from '../../domain/agent/job.js';
import { formatId } from '../../domain/ids.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { enterAsCallee } from './callee.js';
import { anInboundLine } from './inbound-line.js';
import { greeted, pages, recordingOf, talks } from './recorded-call.js';
import { english, said, says, talking, timeout } from './talk.js';
import { agentTestEnv, patience, setUp, type AgentTestEnv } from './test-env.js';

const program = findLiveKitServer();

// Apart from conversation.test.ts, which runs beside this file.
describe.skipIf(program === undefined)('a conversation through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
  }, setUp);
  afterAll(() => testEnv.close());

  test('an agent that takes over for one that died goes on, and does not greet again', { timeout }, async () => {
    const call = await talking(testEnv, english());
    const spoken = testEnv.speech.spoken.length;
    await call.loseAgent();
    testEnv.speech.answers.push({ text: 'Sorry, where were we?' });
    await testEnv.dispatch(call);
    await said(call, [
      { speaker: 'agent', text: 'Good day Ada, this is the clinic.' },
      { speaker: 'agent', text: 'Sorry, where were we?' },
    ]);
    expect(testEnv.speech.spoken.slice(spoken)).toEqual(['Sorry, where were we?']);
    await call.callee.hangUp();
  });

  test('a passage of a knowledge base comes to the model, and from there into the answer', { timeout }, async () => {
    const { db } = testEnv.database;
    const { accountId } = testEnv;
    const knowledgeBaseId = formatId('knowledgeBase', uuidv7());
    const base = { id: knowledgeBaseId, account_id: accountId, name: 'Hours', source: 'text' };
    await db.insertInto('knowledge_bases').values(base).execute();
    const passages = ['The clinic is open from nine to five.', 'Parking is behind the house.'];
    await finishReading(db, { accountId, knowledgeBaseId }, { text: passages.join('\n'), language: 'en', passages });

    const askedBefore = testEnv.speech.asked.length;
    const call = await talking(testEnv, { ...english(), knowledgeBaseIds: [knowledgeBaseId] });
    const search = { tool: 'search_knowledge', args: { query: 'when is the clinic open' } };
    await says(testEnv, call, 'When are you open?', search, { text: 'From nine to five.' });
    await said(call, [{}, { text: 'When are you open?' }, { speaker: 'agent', text: 'From nine to five.' }]);
    const shown = testEnv.speech.asked
      .slice(askedBefore)
      .flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool'));
    expect(shown.map(({ content }): unknown => JSON.parse(String(content)))).toEqual([passages[0]]);
    await call.callee.hangUp();
  });

  test('a caller is answered by the agent of the rule, and has a call with a transcript', { timeout }, async () => {
    const line = await anInboundLine(testEnv, english());
    const caller = await enterAsCallee(testEnv.liveKit, line.room, line.identity, line.attributes);
    const { url, apiKey, apiSecret } = testEnv.liveKit;
    const metadata = formatAgentJob({ kind: 'inbound', ruleId: line.ruleId });
    await new AgentDispatchClient(url, apiKey, apiSecret).createDispatch(line.room, agentName, { metadata });
    await expect.poll(() => caller.heardSeconds(), patience).toBeGreaterThan(0.8);
    testEnv.speech.hears.push('I would like an appointment.');
    testEnv.speech.answers.push({ text: 'On Monday?' });
    await caller.speak(1.6);
    const stored = () =>
      testEnv.database.db
        .selectFrom('calls')
        .select(['type', 'from_number', 'to_number', 'transcript'])
        .where('rule_id', '=', line.ruleId)
        .execute();
    const transcript = [{ speaker: 'agent' }, { text: 'I would like an appointment.' }, { text: 'On Monday?' }];
    const call = { type: 'inbound', from_number: '+15550300001', to_number: line.number, transcript };
    await expect.poll(stored, patience).toMatchObject([call]);
    await caller.hangUp();
  });

  test('the recording has both sides, each in its channel, from the answer to the end', { timeout }, async () => {
    const call = await greeted(testEnv, { recordAudio: true });
    await talks(testEnv, call);
    await call.callee.hangUp();
    await expect.poll(async () => (await recordingOf(testEnv, call)).isEnded, patience).toBe(true);

    const sound = await recordingOf(testEnv, call);
    // What reached the callee's ear is in the agent's channel; the callee's words are in the other.
    expect(Math.abs(sound.loudSeconds('agent') - call.callee.heardSeconds())).toBeLessThan(0.8);
    expect(sound.loudSeconds('callee')).toBeGreaterThan(0.8);
    expect(sound.loudSeconds('callee')).toBeLessThan(2.2);
    // The codec begins a sound after silence as mono: a frame of a twentieth of its loudness is in the other channel.
    const first = (side: 'callee' | 'agent') => {
      const tenths = Array.from({ length: Math.floor(sound.seconds * 10) }, (_, tenth) => tenth / 10);
      return tenths.find((at) => sound.loudness(side, at, at + 0.1) > 1_500) ?? Infinity;
    };
    expect(first('agent')).toBeLessThan(first('callee'));
    // While the agent greets, nothing of it is in the callee's channel.
    expect(sound.loudness('callee', first('agent') + 0.1, first('agent') + 1)).toBeLessThan(150);
    expect(sound.loudness('agent', first('agent'), first('agent') + 1)).toBeGreaterThan(1_000);

    const bytes = (await pages(testEnv, call)).reduce((sum, { size }) => sum + size, 0);
    expect(bytes / (sound.seconds / 60)).toBeLessThan(400_000);
  });
});

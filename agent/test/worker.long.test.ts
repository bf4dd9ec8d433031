import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasAgentWorker } from '../../db/queries/dialer/agent-slots.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { english, said, says, talking, timeout } from './talk.js';
import { agentIsGone, agentIsHere, agentTestEnv, patience, setUp, type AgentTestEnv } from './test-env.js';

const program = findLiveKitServer();

describe.skipIf(program === undefined)('an agent worker at a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
  }, setUp);
  afterAll(() => testEnv.close());

  const slots = async () => {
    const rows = await testEnv.database.db.selectFrom('agent_workers').select(['region', 'slots']).execute();
    return rows.map(({ region, slots }) => `${region} ${slots}`);
  };

  test('announces its region, and as many slots as processes stand ready', { timeout }, async () => {
    await expect.poll(slots, patience).toEqual(['default 2']);
    expect(await hasAgentWorker(testEnv.database.db, 'elsewhere')).toBe(false);
  });

  test('told to stop, it offers nothing more, lets the conversation go on, and ends with it', { timeout }, async () => {
    const greeting = { text: 'Hello from a worker that goes.' };
    const call = await testEnv.ring({ name: 'Test', languages: { english: { prompt: 'x', greeting } } });
    await agentIsHere(testEnv, call);
    await call.answer();
    await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(0.8);

    process.kill(testEnv.worker.pid, 'SIGTERM');
    await expect.poll(slots, patience).toEqual(['default 0']);
    testEnv.speech.hears.push('Are you still there?');
    testEnv.speech.answers.push({ text: 'I am.' });
    await call.callee.speak(1.6);
    await expect.poll(() => testEnv.speech.spoken, patience).toContain('I am.');
    expect(testEnv.worker.isOver()).toBe(false);

    await call.callee.hangUp();
    await expect.poll(() => testEnv.worker.isOver(), patience).toBe(true);
    expect(await slots()).toEqual([]);
  });

  test('killed with -9, another goes on with its conversation, and nothing is written twice', { timeout }, async () => {
    const dying = await testEnv.startWorker();
    await expect.poll(slots, patience).toEqual(['default 2']);
    const greeting = { text: 'Hello from a worker that dies.' };
    const call = await talking(testEnv, english({ greeting }));
    await says(testEnv, call, 'Hello?', { text: 'Yes?' });
    await said(call, [{}, {}, { text: 'Yes?' }]);
    await testEnv.startWorker();
    await expect.poll(async () => (await slots()).filter((each) => each === 'default 2'), patience).toHaveLength(1);
    process.kill(dying.pid, 'SIGKILL');
    await dying.exited;
    // The dialer sends another where the agent is gone (telephony/livekit/leg.ts).
    await agentIsGone(testEnv, call);
    testEnv.speech.answers.push({ text: 'Sorry, where were we?' });
    await testEnv.dispatch(call);
    await said(call, [{ text: greeting.text }, {}, { text: 'Yes?' }, { text: 'Sorry, where were we?' }]);
    expect((await call.row()).transcript).toHaveLength(4);
    await call.callee.hangUp();
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasAgentWorker } from '../../db/queries/dialer/agent-slots.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { english, said, says, talking, timeout } from './talk.js';
import { agentIsGone, agentIsHere, aWorld, patience, setUp, type World } from './world.js';

const program = findLiveKitServer();

describe.skipIf(program === undefined)('an agent worker at a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld(program ?? '');
  }, setUp);
  afterAll(() => world.close());

  const slots = async () => {
    const rows = await world.database.db.selectFrom('agent_workers').select(['region', 'slots']).execute();
    return rows.map(({ region, slots }) => `${region} ${slots}`);
  };

  test('announces its region, and as many slots as processes stand ready', { timeout }, async () => {
    await expect.poll(slots, patience).toEqual(['default 2']);
    expect(await hasAgentWorker(world.database.db, 'elsewhere')).toBe(false);
  });

  test('told to stop, it offers nothing more, lets the conversation go on, and ends with it', { timeout }, async () => {
    const greeting = { text: 'Hello from a worker that goes.' };
    const call = await world.ring({ name: 'Test', languages: { english: { prompt: 'x', greeting } } });
    await agentIsHere(world, call);
    await call.answer();
    await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(0.8);

    process.kill(world.worker.pid, 'SIGTERM');
    await expect.poll(slots, patience).toEqual(['default 0']);
    world.speech.hears.push('Are you still there?');
    world.speech.answers.push({ text: 'I am.' });
    await call.callee.speak(1.6);
    await expect.poll(() => world.speech.spoken, patience).toContain('I am.');
    expect(world.worker.isOver()).toBe(false);

    await call.callee.hangUp();
    await expect.poll(() => world.worker.isOver(), patience).toBe(true);
    expect(await slots()).toEqual([]);
  });

  test('killed with -9, another goes on with its conversation, and nothing is written twice', { timeout }, async () => {
    const dying = await world.startWorker();
    await expect.poll(slots, patience).toEqual(['default 2']);
    const greeting = { text: 'Hello from a worker that dies.' };
    const call = await talking(world, english({ greeting }));
    await says(world, call, 'Hello?', { text: 'Yes?' });
    await said(call, [{}, {}, { text: 'Yes?' }]);
    await world.startWorker();
    await expect.poll(async () => (await slots()).filter((each) => each === 'default 2'), patience).toHaveLength(1);
    process.kill(dying.pid, 'SIGKILL');
    await dying.exited;
    // The dialer sends another where the agent is gone (telephony/livekit/leg.ts).
    await agentIsGone(world, call);
    world.speech.answers.push({ text: 'Sorry, where were we?' });
    await world.dispatch(call);
    await said(call, [{ text: greeting.text }, {}, { text: 'Yes?' }, { text: 'Sorry, where were we?' }]);
    expect((await call.row()).transcript).toHaveLength(4);
    await call.callee.hangUp();
  });
});

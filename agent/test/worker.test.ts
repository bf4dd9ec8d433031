import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasAgentWorker } from '../../db/queries/dialer/agent-slots.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { agentIsHere, aWorld, patience, type World } from './world.js';

const program = findLiveKitServer();
const timeout = 90_000;

describe.skipIf(program === undefined)('an agent worker at a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld(program ?? '');
  }, 120_000);
  afterAll(() => world.close());

  const slots = async () => {
    const rows = await world.database.db.selectFrom('agent_workers').select(['region', 'slots']).execute();
    return rows.map(({ region, slots }) => `${region} ${slots}`);
  };

  test('announces its region and its slots', async () => {
    expect(await slots()).toEqual(['default 3']);
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
});

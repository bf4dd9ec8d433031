import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import type { Fault } from './speech-script.js';
import { answered, english, over, said, says, talking, timeout } from './talk.js';
import { agentIsHere, aWorld, patience, setUp, type World } from './world.js';

const program = findLiveKitServer();
const realtime = (...models: string[]) => models.map((model) => ({ model: `custom/${model}` }));

describe.skipIf(program === undefined)('realtime models, through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld(program ?? '');
  }, setUp);
  afterAll(() => world.close());

  test.each<Fault>(['error', 'drop', 'silence', 'stall'])(
    'the next model greets where the first fails: %s',
    { timeout },
    async (fault) => {
      world.speech.faults.set(`first-${fault}`, fault);
      const call = await world.ring(english({ realtime: realtime(`first-${fault}`, 'second') }), { first_name: 'Ada' });
      await agentIsHere(world, call);
      await call.answer();
      await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(0.8);
      await said(call, [{ speaker: 'agent', text: 'Good day Ada, this is the clinic.' }]);
      expect(world.speech.requests.at(-1)).toBe('second');
      await call.callee.hangUp();
    },
  );

  test('the next model goes on, with what was said, where the first dies in the middle', { timeout }, async () => {
    const call = await talking(world, english({ realtime: realtime('dies', 'lives') }));
    await says(world, call, 'My name is Ada.', { text: 'Hello Ada.' });
    await said(call, [{}, {}, { text: 'Hello Ada.' }]);
    world.speech.answers.push({ text: 'Sorry, where were we?' });
    world.speech.faults.set('dies', 'error');
    world.speech.cut('dies');
    await said(call, [{}, {}, {}, { speaker: 'agent', text: 'Sorry, where were we?' }]);
    const last = world.speech.asked.at(-1);
    expect(last?.model).toBe('lives');
    expect(JSON.stringify(last?.messages)).toContain('My name is Ada.');
    await call.callee.hangUp();
  });

  test('where every realtime model fails the callee is hung up on, and the record says why', { timeout }, async () => {
    world.speech.faults.set('broken', 'error');
    const call = await answered(world, english({ realtime: realtime('broken') }));
    await over(call);
    expect(await call.attempt()).toMatchObject({ hang_up_reason: 'agent_failed' });
  });
});

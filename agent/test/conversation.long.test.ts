import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { english, greeting, over, said, says, talking, timeout } from './talk.js';
import { aWorld, setUp, type World } from './world.js';

const program = findLiveKitServer();

describe.skipIf(program === undefined)(
  'what else happens in a conversation through a real LiveKit (LIVEKIT_SERVER_BIN)',
  () => {
    let world: World;
    beforeAll(async () => {
      world = await aWorld(program ?? '');
    }, setUp);
    afterAll(() => world.close());

    test('the agent says the goodbye of its config and hangs up once', { timeout }, async () => {
      const endCall = { enabled: true, when: 'the callee says goodbye', message: 'Goodbye {{first_name}}.' };
      const call = await talking(world, english({ endCall }));
      await says(world, call, 'That is all, bye.', { tool: 'end_call' });
      await over(call);
      expect(world.speech.spoken).toContain('Goodbye Ada.');
      expect(await call.attempt()).toMatchObject({ hang_up_reason: 'agent_hung_up' });
      await said(call, [{}, { text: 'That is all, bye.' }, { speaker: 'agent', text: 'Goodbye Ada.' }]);
    });

    test('a callee who stays silent is spoken to three times, then hung up on', { timeout }, async () => {
      const wakeUp = { enabled: true, afterSeconds: 0.4, message: 'Still there?' };
      const call = await talking(world, english({ wakeUp }));
      await over(call);
      expect(world.speech.spoken.filter((text) => text === 'Still there?')).toHaveLength(3);
      expect(await call.attempt()).toMatchObject({ hang_up_reason: 'callee_silent' });
    });

    test('another language takes over where the callee asks for it', { timeout }, async () => {
      const config = english();
      const german = { prompt: 'Erinnere {{first_name}}.', greeting };
      const call = await talking(world, { ...config, languages: { ...config.languages, german } });
      const asked = world.speech.asked.length;
      const switches = { tool: 'switch_language', args: { language: 'german' } };
      await says(world, call, 'Können wir deutsch sprechen?', switches, { text: 'Natürlich.' });
      await said(call, [{}, { speaker: 'callee' }, { speaker: 'agent', text: 'Natürlich.' }]);
      const prompts = world.speech.asked.slice(asked).map(({ messages }) => JSON.stringify(messages[0]));
      expect(prompts.some((prompt) => prompt.includes('Erinnere Ada.'))).toBe(true);
      // Whoever takes over knows what was said before.
      expect(JSON.stringify(world.speech.asked.at(-1)?.messages)).toContain('Können wir deutsch sprechen?');
      await call.callee.hangUp();
    });

    test('noise is cancelled where the config asks for it, and speech gets through', { timeout }, async () => {
      const voiceProcessing = { noiseCancellation: { model: 'rnnoise/rnnoise' } };
      const call = await talking(world, { ...english(), voiceProcessing });
      await says(world, call, 'Can you hear me?', { text: 'Loud and clear.' });
      await said(call, [{}, { speaker: 'callee', text: 'Can you hear me?' }, { text: 'Loud and clear.' }]);
      await call.callee.hangUp();
    });
  },
);

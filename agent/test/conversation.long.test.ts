import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { english, greeting, over, said, says, talking, timeout } from './talk.js';
import { agentTestEnv, setUp, type AgentTestEnv } from './test-env.js';

const program = findLiveKitServer();

describe.skipIf(program === undefined)(
  'what else happens in a conversation through a real LiveKit (LIVEKIT_SERVER_BIN)',
  () => {
    let testEnv: AgentTestEnv;
    beforeAll(async () => {
      testEnv = await agentTestEnv(program ?? '');
    }, setUp);
    afterAll(() => testEnv.close());

    test('the agent says the goodbye of its config and hangs up once', { timeout }, async () => {
      const endCall = { enabled: true, when: 'the callee says goodbye', message: 'Goodbye {{first_name}}.' };
      const call = await talking(testEnv, english({ endCall }));
      await says(testEnv, call, 'That is all, bye.', { tool: 'end_call' });
      await over(call);
      expect(testEnv.speech.spoken).toContain('Goodbye Ada.');
      expect(await call.attempt()).toMatchObject({ hang_up_reason: 'agent_hung_up' });
      await said(call, [{}, { text: 'That is all, bye.' }, { speaker: 'agent', text: 'Goodbye Ada.' }]);
    });

    test('a callee who stays silent is spoken to three times, then hung up on', { timeout }, async () => {
      const wakeUp = { enabled: true, afterSeconds: 0.4, message: 'Still there?' };
      const call = await talking(testEnv, english({ wakeUp }));
      await over(call);
      expect(testEnv.speech.spoken.filter((text) => text === 'Still there?')).toHaveLength(3);
      expect(await call.attempt()).toMatchObject({ hang_up_reason: 'callee_silent' });
    });

    test('another language takes over if the callee asks for it', { timeout }, async () => {
      const config = english();
      const german = { prompt: 'Erinnere {{first_name}}.', greeting };
      const call = await talking(testEnv, { ...config, languages: { ...config.languages, german } });
      const asked = testEnv.speech.asked.length;
      const switches = { tool: 'switch_language', args: { language: 'german' } };
      await says(testEnv, call, 'Können wir deutsch sprechen?', switches, { text: 'Natürlich.' });
      await said(call, [{}, { speaker: 'callee' }, { speaker: 'agent', text: 'Natürlich.' }]);
      const prompts = testEnv.speech.asked.slice(asked).map(({ messages }) => JSON.stringify(messages[0]));
      expect(prompts.some((prompt) => prompt.includes('Erinnere Ada.'))).toBe(true);
      // The agent that takes over knows what was said before.
      expect(JSON.stringify(testEnv.speech.asked.at(-1)?.messages)).toContain('Können wir deutsch sprechen?');
      await call.callee.hangUp();
    });

    test('noise is cancelled if the config asks for it, and speech gets through', { timeout }, async () => {
      const voiceProcessing = { noiseCancellation: { model: 'rnnoise/rnnoise' } };
      const call = await talking(testEnv, { ...english(), voiceProcessing });
      await says(testEnv, call, 'Can you hear me?', { text: 'Loud and clear.' });
      await said(call, [{}, { speaker: 'callee', text: 'Can you hear me?' }, { text: 'Loud and clear.' }]);
      await call.callee.hangUp();
    });
  },
);

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import type { TranscriptLine } from '../../telephony/provider.js';
import type { Fault } from './speech-script.js';
import { answered, english, over, saidAmong, says, talking, timeout } from './talk.js';
import { agentTestEnv, patience, setUp, type AgentTestEnv } from './test-env.js';

const program = findLiveKitServer();

/** Slots with two models each; the first of each is named for what is wrong with it. */
const fallbacks = (first: { stt: string; llm: string; tts: string }) => ({
  stt: [{ model: `custom/${first.stt}` }, { model: 'custom/good-stt' }],
  llm: [{ model: `custom/${first.llm}` }, { model: 'custom/good-llm' }],
  tts: [
    { model: `custom/${first.tts}`, voice: 'tone' },
    { model: 'custom/good-tts', voice: 'tone' },
  ],
});

describe.skipIf(program === undefined)('fallbacks of models, through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
  }, setUp);
  afterAll(() => testEnv.close());

  const breaks = (model: string, fault: Fault) => {
    testEnv.speech.faults.set(model, fault);
    return model;
  };

  /** A square: each slot meets each fault once. */
  const square: readonly (readonly [stt: Fault, llm: Fault, tts: Fault])[] = [
    ['error', 'silence', 'drop'],
    ['drop', 'error', 'silence'],
    ['silence', 'drop', 'error'],
    ['stall', 'stall', 'stall'],
  ];
  test.each(square)(
    'the second model takes over within a bearable time: stt %s, llm %s, tts %s',
    { timeout },
    async (...[stt, llm, tts]) => {
      const first = {
        stt: breaks(`stt-${stt}`, stt),
        llm: breaks(`llm-${llm}`, llm),
        tts: breaks(`tts-${tts}`, tts),
      };
      const call = await answered(testEnv, english(fallbacks(first)));
      // On a machine that is too busy for the models that work, more may be said than this.
      await saidAmong(call, 'Good day Ada, this is the clinic.');
      await says(testEnv, call, 'Yes, Monday is fine.', { text: 'See you on Monday.' });
      const saidAt = Date.now();
      await saidAmong(call, 'Yes, Monday is fine.', 'See you on Monday.');
      // Three seconds for each model that is broken, and the time that the words take.
      expect(Date.now() - saidAt).toBeLessThan(25_000);
      expect(testEnv.speech.requests).toEqual(expect.arrayContaining(Object.values(first)));

      // What is known to be broken is not waited for again.
      await says(testEnv, call, 'Thank you.', { text: 'You are welcome.' });
      await saidAmong(call, 'Thank you.', 'You are welcome.');
      expect(await call.attempt()).toMatchObject({ hang_up_reason: null });
      await call.callee.hangUp();
    },
  );

  test.each(['stt', 'llm', 'tts'] as const)(
    'if every %s fails the callee is not left in silence: hung up on, and the record says why',
    { timeout },
    async (slot) => {
      const call = await answered(testEnv, english(fallbacks({ stt: 'good-stt', llm: 'good-llm', tts: 'good-tts' })));
      await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(0.8);
      breaks(`good-${slot}`, 'error');
      // The callee goes on talking while someone listens, with pauses for an answer.
      const untilMs = Date.now() + patience.timeout;
      while (!call.callee.isGone() && Date.now() < untilMs)
        await Promise.race([call.callee.speak(1.6, 3), call.callee.gone]);
      await over(call);
      expect(await call.attempt()).toMatchObject({ hang_up_reason: 'agent_failed' });
      if (slot === 'tts') {
        const { transcript } = await call.row();
        const heard = (transcript as TranscriptLine[]).filter(({ speaker }) => speaker === 'agent');
        expect(heard).toMatchObject([{ text: 'Good day Ada, this is the clinic.' }]);
      }
      testEnv.speech.faults.delete(`good-${slot}`);
    },
  );

  test('an empty answer is none: the second model is asked, and the callee hears it', { timeout }, async () => {
    const slots = fallbacks({ stt: 'good-stt', llm: breaks('llm-empty', 'empty'), tts: 'good-tts' });
    const call = await talking(testEnv, english(slots));
    testEnv.speech.scripts.set('good-llm', { hears: [], answers: [{ text: 'See you on Monday.' }] });
    await says(testEnv, call, 'Yes, Monday is fine.', { text: 'Never heard.' });
    await saidAmong(call, 'Yes, Monday is fine.', 'See you on Monday.');
    expect(testEnv.speech.spoken).not.toContain('Never heard.');
    await call.callee.hangUp();
    testEnv.speech.scripts.delete('good-llm');
  });

  test.each<Fault>(['half', 'empty'])(
    'if every model answers %s, twice in a row, the callee is hung up on and the record says why',
    { timeout },
    async (fault) => {
      const call = await talking(testEnv, english(fallbacks({ stt: 'good-stt', llm: 'own-llm', tts: 'good-tts' })));
      for (const model of ['own-llm', 'good-llm']) breaks(model, fault);
      const answer = { text: 'We have a free slot on Monday, and another one on Tuesday.' };
      await says(testEnv, call, 'Is there a slot?', answer, answer, answer, answer, answer);
      await over(call);
      expect(await call.attempt()).toMatchObject({ hang_up_reason: 'agent_failed' });
      const { transcript } = await call.row();
      const halves = (transcript as { text: string }[]).filter(({ text }) => answer.text.startsWith(text));
      expect(halves).toHaveLength(fault === 'half' ? 2 : 0);
      testEnv.speech.answers.length = 0;
      for (const model of ['own-llm', 'good-llm']) testEnv.speech.faults.delete(model);
    },
  );
});

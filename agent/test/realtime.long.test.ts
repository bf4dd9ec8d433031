import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import type { Fault } from './speech-script.js';
import { answered, english, over, said, saidAmong, says, talking, timeout } from './talk.js';
import { agentIsHere, agentTestEnv, patience, setUp, type AgentTestEnv } from './test-env.js';

const program = findLiveKitServer();
const realtime = (...models: string[]) => models.map((model) => ({ model: `custom/${model}` }));

describe.skipIf(program === undefined)('realtime models, through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
  }, setUp);
  afterAll(() => testEnv.close());

  test.each<Fault>(['error', 'drop', 'silence', 'stall'])(
    'the next model greets if the first fails: %s',
    { timeout },
    async (fault) => {
      testEnv.speech.faults.set(`first-${fault}`, fault);
      const call = await testEnv.ring(english({ realtime: realtime(`first-${fault}`, 'second') }), {
        first_name: 'Ada',
      });
      await agentIsHere(testEnv, call);
      await call.answer();
      await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(0.8);
      await said(call, [{ speaker: 'agent', text: 'Good day Ada, this is the clinic.' }]);
      expect(testEnv.speech.requests.at(-1)).toBe('second');
      await call.callee.hangUp();
    },
  );

  test('the next model goes on, with what was said, if the first dies in the middle', { timeout }, async () => {
    const call = await talking(testEnv, english({ realtime: realtime('dies', 'lives') }));
    await says(testEnv, call, 'My name is Ada.', { text: 'Hello Ada.' });
    await said(call, [{}, {}, { text: 'Hello Ada.' }]);
    testEnv.speech.answers.push({ text: 'Sorry, where were we?' });
    testEnv.speech.faults.set('dies', 'error');
    testEnv.speech.cut('dies');
    await said(call, [{}, {}, {}, { speaker: 'agent', text: 'Sorry, where were we?' }]);
    const last = testEnv.speech.asked.at(-1);
    expect(last?.model).toBe('lives');
    expect(JSON.stringify(last?.messages)).toContain('My name is Ada.');
    await call.callee.hangUp();
  });

  test.each<Fault>(['failed', 'half'])('the next model goes on if an answer is %s', { timeout }, async (fault) => {
    const call = await talking(testEnv, english({ realtime: realtime(`ill-${fault}`, `well-${fault}`) }));
    testEnv.speech.scripts.set(`well-${fault}`, { hears: [], answers: [{ text: 'Yes, on Monday.' }] });
    testEnv.speech.faults.set(`ill-${fault}`, fault);
    await says(testEnv, call, 'Is there a slot?', { text: 'Let me see whether there is one.' });
    await saidAmong(call, 'Is there a slot?', 'Yes, on Monday.');
    expect(await call.attempt()).toMatchObject({ hang_up_reason: null });
    await call.callee.hangUp();
    testEnv.speech.answers.length = 0;
  });

  test('an answer that fails twice in a row ends the call if there is no other model', { timeout }, async () => {
    const call = await talking(testEnv, english({ realtime: realtime('alone') }));
    testEnv.speech.faults.set('alone', 'failed');
    const before = testEnv.speech.asked.length;
    await says(testEnv, call, 'Is there a slot?');
    await over(call);
    expect(await call.attempt()).toMatchObject({ hang_up_reason: 'agent_failed' });
    expect(testEnv.speech.asked).toHaveLength(before + 2);
  });

  test('a model whose line breaks in the middle of an answer goes on, on another line', { timeout }, async () => {
    const call = await talking(testEnv, english({ realtime: realtime('cut') }));
    await says(testEnv, call, 'My name is Ada.', { text: 'Hello Ada.' });
    await said(call, [{}, {}, { text: 'Hello Ada.' }]);
    testEnv.speech.faults.set('cut', 'half');
    await says(testEnv, call, 'Is there a slot?', { text: 'One moment, I look into the book.' });
    await expect.poll(() => testEnv.speech.spoken, patience).toContain('One moment, I look into the book.');
    testEnv.speech.faults.delete('cut');
    testEnv.speech.answers.push({ text: 'Sorry, yes, on Monday.' });
    testEnv.speech.cut('cut');
    await saidAmong(call, 'Sorry, yes, on Monday.');
    expect(JSON.stringify(testEnv.speech.asked.at(-1)?.messages)).toContain('My name is Ada.');
    await call.callee.hangUp();
  });

  test('if every realtime model fails the callee is hung up on, and the record says why', { timeout }, async () => {
    testEnv.speech.faults.set('broken', 'error');
    const call = await answered(testEnv, english({ realtime: realtime('broken') }));
    await over(call);
    expect(await call.attempt()).toMatchObject({ hang_up_reason: 'agent_failed' });
  });
});

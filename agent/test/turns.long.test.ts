import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { answered, english, said, saidAmong, says, talking, timeout } from './talk.js';
import { agentTestEnv, patience, type RingingCall, setUp, type AgentTestEnv } from './test-env.js';

const program = findLiveKitServer();

/** Twelve seconds of sound. */
const long = 'We are calling about the appointment that you have made with us for the next week. '.repeat(3).trim();

describe.skipIf(program === undefined)('turns, through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
  }, setUp);
  afterAll(() => testEnv.close());

  /** The agent greets for twelve seconds, and is told this after the first. Four words are wanted to interrupt it. */
  async function greetsInto(words: string): Promise<RingingCall> {
    const config = {
      ...english({ greeting: { text: long, interruptible: true } }),
      voiceProcessing: { interruption: { minWords: 4 } },
    };
    const call = await answered(testEnv, config);
    await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(1);
    testEnv.speech.hears.push(words);
    await call.callee.speak(1.6);
    return call;
  }

  test('fewer words than the config asks for do not interrupt the agent', { timeout }, async () => {
    const call = await greetsInto('Yes fine');
    await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(11);
    await call.callee.hangUp();
  });

  test('as many as it asks for do', { timeout }, async () => {
    const call = await greetsInto('Yes that is fine');
    await saidAmong(call, 'Yes that is fine');
    expect(call.callee.heardSeconds()).toBeLessThan(10);
    await call.callee.hangUp();
  });

  test('an answer waits for as long a silence as the config asks for', { timeout }, async () => {
    const turnDetection = { minWaitSeconds: 5, maxWaitSeconds: 6 };
    const call = await talking(testEnv, english({ turnDetection }));
    const fromMs = Date.now();
    await says(testEnv, call, 'Monday is fine.', { text: 'See you on Monday.' });
    await said(call, [{}, { text: 'Monday is fine.' }, { text: 'See you on Monday.' }]);
    // The words themselves take more than a second.
    expect(Date.now() - fromMs).toBeGreaterThan(6_000);
    await call.callee.hangUp();
  });
});

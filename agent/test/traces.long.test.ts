import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isTranscriptOpen, timingsOfCalls } from '../../db/queries/calls/agent-runs.js';
import { modelUsageOfAccount, modelUsageOfCalls } from '../../db/queries/calls/model-usage.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { english, said, says, talking, timeout } from './talk.js';
import { aVisitor } from './visitor.js';
import { agentTestEnv, patience, setUp, type RingingCall, type AgentTestEnv } from './test-env.js';

const program = findLiveKitServer();

describe.skipIf(program === undefined)('what an agent leaves behind (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
  }, setUp);
  afterAll(() => testEnv.close());

  const usageOf = async ({ id }: RingingCall) =>
    (await modelUsageOfCalls(testEnv.database.db, testEnv.accountId, [id])).get(id) ?? [];
  const timingsOf = async ({ id }: RingingCall) =>
    (await timingsOfCalls(testEnv.database.db, testEnv.accountId, [id])).get(id);
  const metrics = async () => {
    const port = /"metricsPort":(\d+)/.exec(readFileSync(testEnv.log, 'utf8'))?.[1] ?? '';
    return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  };

  test(
    'usage and timings grow with the talk, survive kill -9, and go on with the next agent',
    { timeout },
    async () => {
      const call = await talking(testEnv, english());
      await says(testEnv, call, 'Yes, Monday is fine.', { text: 'Wonderful, see you on Monday.' });
      await said(call, [{}, { speaker: 'callee' }, { text: 'Wonderful, see you on Monday.' }]);
      await expect.poll(async () => (await timingsOf(call))?.turns.length, patience).toBe(1);
      const measured = await timingsOf(call);
      expect(measured?.answeredToSpeechMs).toBeGreaterThan(0);
      expect(measured?.answeredToSpeechMs).toBeLessThan(30_000);
      // The callee is silent for some time before it is known that they have finished.
      expect(measured?.turns[0]?.ms).toBeGreaterThan(100);

      const ofModel = async (kind: string) => (await usageOf(call)).find((used) => used.kind === kind);
      await expect.poll(() => ofModel('llm'), patience).toMatchObject({ model: 'custom/fake-llm' });
      const spoken = 'Good day Ada, this is the clinic.Wonderful, see you on Monday.'.length;
      await expect.poll(async () => (await ofModel('tts'))?.characters, patience).toBeGreaterThanOrEqual(spoken);
      const heard = await ofModel('stt');
      expect(heard?.model).toBe('custom/fake-stt');
      expect(heard?.audioSeconds).toBeGreaterThan(1);
      expect(await isTranscriptOpen(testEnv.database.db, testEnv.accountId, call.id)).toBe(true);

      const before = (await ofModel('llm'))?.outputTokens ?? 0;
      await call.loseAgent();
      await testEnv.dispatch(call);
      await said(call, [{}, {}, {}, { speaker: 'agent' }]);
      await expect.poll(async () => (await ofModel('llm'))?.outputTokens, patience).toBeGreaterThan(before);
      expect(await timingsOf(call)).toEqual(measured);

      await call.callee.hangUp();
      const isOpen = () => isTranscriptOpen(testEnv.database.db, testEnv.accountId, call.id);
      await expect.poll(isOpen, patience).toBe(false);
      const { today } = await modelUsageOfAccount(testEnv.database.db, testEnv.accountId, new Date());
      expect(today).toEqual(await usageOf(call));
    },
  );

  test('a visitor of the playground has to go when the time of the trial is over', { timeout }, async () => {
    const agentId = await testEnv.anAgent(english());
    const visitor = await aVisitor(testEnv, agentId, { metadata: {}, maxSeconds: 5 });
    await expect.poll(() => visitor.isGone(), patience).toBe(true);
  });

  test('the worker’s metrics have slots, processes and how long people waited', { timeout }, async () => {
    await expect.poll(metrics, patience).toMatch(/^outdial_agent_slots_used\{role="agent"\} 0$/m);
    const before = await metrics();
    expect(before).toMatch(/^outdial_agent_slots\{role="agent"\} [1-3]$/m);
    const call = await talking(testEnv, english());
    await expect.poll(metrics, patience).toMatch(/^outdial_agent_slots_used\{role="agent"\} 1$/m);
    const greetings = (text: string) => Number(/^outdial_agent_greeting_seconds_count\S* (\d+)$/m.exec(text)?.[1]);
    expect(greetings(await metrics())).toBe(greetings(before) + 1);
    await call.callee.hangUp();
    await expect.poll(metrics, patience).toMatch(/^outdial_agent_slots_used\{role="agent"\} 0$/m);
    await expect.poll(metrics, patience).toMatch(/^outdial_agent_processes_warm\{role="agent"\} [1-9]/m);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { timingsOfCalls } from '../../db/queries/calls/agent-runs.js';
import { config, greeted, pages, recordingOf, talks } from './recorded-call.js';
import { agentIsHere, agentTestEnv, patience, setUp, type AgentTestEnv } from './test-env.js';

const timeout = 180_000;
const program = findLiveKitServer();

describe.skipIf(program === undefined)(
  'the recording of a conversation through a real LiveKit (LIVEKIT_SERVER_BIN)',
  () => {
    let testEnv: AgentTestEnv;
    beforeAll(async () => {
      testEnv = await agentTestEnv(program ?? '');
    }, setUp);
    afterAll(() => testEnv.close());

    test('is not made unless it is asked for', { timeout }, async () => {
      const call = await greeted(testEnv, {});
      await talks(testEnv, call);
      await call.callee.hangUp();
      const { db } = testEnv.database;
      expect(await db.selectFrom('recordings').selectAll().where('call_id', '=', call.id).execute()).toEqual([]);
    });

    test(
      'outlives kill -9 of its agent but for the last seconds, and the next agent goes on with it',
      { timeout },
      async () => {
        const call = await greeted(testEnv, { recordAudio: true });
        await talks(testEnv, call);
        const agentsPart = async () => (await recordingOf(testEnv, call)).loudSeconds('agent');
        await expect.poll(async () => (await pages(testEnv, call)).length, patience).toBeGreaterThan(5);
        await expect.poll(agentsPart, patience).toBeGreaterThan(1);
        const before = await recordingOf(testEnv, call);
        await call.loseAgent();
        const left = await recordingOf(testEnv, call);
        expect(left.seconds).toBeGreaterThanOrEqual(before.seconds);
        expect(left.loudSeconds('agent')).toBeGreaterThan(1);
        expect(left.isEnded).toBe(false);

        testEnv.speech.answers.push({ text: 'Sorry, where were we? I was gone for a moment.' });
        await testEnv.dispatch(call);
        await expect.poll(agentsPart, patience).toBeGreaterThan(left.loudSeconds('agent') + 1);
        await call.callee.hangUp();
        await expect.poll(async () => (await recordingOf(testEnv, call)).isEnded, patience).toBe(true);
        const whole = await recordingOf(testEnv, call);
        expect(whole.seconds).toBeGreaterThan(left.seconds + 1);
      },
    );

    test(
      'F3, F4: begins at the answer that the dialer has stored, with silence for as long as the agent was late, which is what the call says',
      { timeout },
      async () => {
        const call = await testEnv.ring(config, {}, { recordAudio: true });
        await agentIsHere(testEnv, call);
        const lateMs = 2_500;
        await call.answer(lateMs);
        await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(1);
        await talks(testEnv, call);
        await call.callee.hangUp();
        await expect.poll(async () => (await recordingOf(testEnv, call)).isEnded, patience).toBe(true);
        const { db } = testEnv.database;
        const measured = await timingsOfCalls(db, testEnv.accountId, [call.id]);
        const greetedMs = measured.get(call.id)?.answeredToSpeechMs ?? NaN;
        expect(greetedMs).toBeGreaterThan(lateMs);
        const whole = await recordingOf(testEnv, call);
        const soundMs = Math.round(whole.firstSound('agent') * 1_000);
        expect(Math.abs(soundMs - greetedMs)).toBeLessThan(100);
      },
    );

    test('ends, and nothing of it stays, if the person is erased while the call goes on', { timeout }, async () => {
      const call = await greeted(testEnv, { recordAudio: true });
      await expect.poll(async () => (await pages(testEnv, call)).length, patience).toBeGreaterThan(2);
      const { db } = testEnv.database;
      await db.updateTable('calls').set({ erased_at: new Date() }).where('id', '=', call.id).execute();
      await talks(testEnv, call);
      expect(await pages(testEnv, call)).toEqual([]);
      await call.callee.hangUp();
    });
  },
);

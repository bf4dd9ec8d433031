import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordingBytes, recordingPages } from '../../db/queries/recordings.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { play } from './recorded-sound.js';
import { agentIsHere, aWorld, patience, type RingingCall, setUp, type World } from './world.js';

const timeout = 180_000;
const program = findLiveKitServer();
const greeting = { text: 'Good day, this is the clinic.', interruptible: false };
const config = { name: 'Test', languages: { english: { prompt: 'Talk.', greeting } } };

describe.skipIf(program === undefined)(
  'the recording of a conversation through a real LiveKit (LIVEKIT_SERVER_BIN)',
  () => {
    let world: World;
    beforeAll(async () => {
      world = await aWorld(program ?? '');
    }, setUp);
    afterAll(() => world.close());

    const pages = (call: RingingCall) => recordingPages(world.database.db, world.accountId, call.id);
    async function recordingOf(call: RingingCall) {
      const [stored, pieces] = [await pages(call), [] as Buffer[]];
      const own = { accountId: world.accountId, callId: call.id };
      for await (const piece of recordingBytes(world.database.db, own, { sequence: 0, pages: stored.length })) {
        pieces.push(piece);
      }
      return play(Buffer.concat(pieces));
    }
    /** Is answered, has heard the greeting. */
    async function greeted(options: object): Promise<RingingCall> {
      const call = await world.ring(config, {}, options);
      await agentIsHere(world, call);
      await call.answer();
      await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(1);
      return call;
    }
    async function talks(call: RingingCall): Promise<void> {
      const heard = call.callee.heardSeconds();
      world.speech.hears.push('What time is it?');
      world.speech.answers.push({ text: 'It is time to test recordings.' });
      await call.callee.speak(1.6);
      await expect.poll(() => call.callee.heardSeconds() - heard, patience).toBeGreaterThan(1);
    }

    test('has both sides, each in its channel, from the answer to the end', { timeout }, async () => {
      const call = await greeted({ recordAudio: true });
      await talks(call);
      await call.callee.hangUp();
      await expect.poll(async () => (await recordingOf(call)).isEnded, patience).toBe(true);

      const sound = await recordingOf(call);
      // What reached the callee's ear is in the agent's channel; the callee's words are in the other.
      expect(Math.abs(sound.loudSeconds('agent') - call.callee.heardSeconds())).toBeLessThan(0.8);
      expect(sound.loudSeconds('callee')).toBeGreaterThan(0.8);
      expect(sound.loudSeconds('callee')).toBeLessThan(2.2);
      const first = (side: 'callee' | 'agent') => {
        for (let tenth = 0; ; tenth++) if (sound.loudness(side, tenth / 10, tenth / 10 + 0.1) > 300) return tenth / 10;
      };
      expect(first('agent')).toBeLessThan(first('callee'));
      // While the agent greets, nothing of it is in the callee's channel.
      expect(sound.loudness('callee', first('agent'), first('agent') + 1)).toBeLessThan(150);
      expect(sound.loudness('agent', first('agent'), first('agent') + 1)).toBeGreaterThan(1_000);

      const bytes = (await pages(call)).reduce((sum, { size }) => sum + size, 0);
      expect(bytes / (sound.seconds / 60)).toBeLessThan(400_000);
    });

    test('is not made where nobody has asked for it', { timeout }, async () => {
      const call = await greeted({});
      await talks(call);
      await call.callee.hangUp();
      const { db } = world.database;
      expect(await db.selectFrom('recordings').selectAll().where('call_id', '=', call.id).execute()).toEqual([]);
    });

    test(
      'outlives kill -9 of its agent but for the last seconds, and the next agent goes on with it',
      { timeout },
      async () => {
        const call = await greeted({ recordAudio: true });
        await talks(call);
        const agentsPart = async () => (await recordingOf(call)).loudSeconds('agent');
        await expect.poll(async () => (await pages(call)).length, patience).toBeGreaterThan(5);
        await expect.poll(agentsPart, patience).toBeGreaterThan(1);
        const before = await recordingOf(call);
        await call.loseAgent();
        const left = await recordingOf(call);
        expect(left.seconds).toBeGreaterThanOrEqual(before.seconds);
        expect(left.loudSeconds('agent')).toBeGreaterThan(1);
        expect(left.isEnded).toBe(false);

        world.speech.answers.push({ text: 'Sorry, where were we? I was gone for a moment.' });
        await world.dispatch(call);
        await expect.poll(agentsPart, patience).toBeGreaterThan(left.loudSeconds('agent') + 1);
        await call.callee.hangUp();
        await expect.poll(async () => (await recordingOf(call)).isEnded, patience).toBe(true);
        const whole = await recordingOf(call);
        expect(whole.seconds).toBeGreaterThan(left.seconds + 1);
      },
    );

    test('ends, and nothing of it stays, where the person is erased while the call goes on', { timeout }, async () => {
      const call = await greeted({ recordAudio: true });
      await expect.poll(async () => (await pages(call)).length, patience).toBeGreaterThan(2);
      const { db } = world.database;
      await db.updateTable('calls').set({ erased_at: new Date() }).where('id', '=', call.id).execute();
      await talks(call);
      expect(await pages(call)).toEqual([]);
      await call.callee.hangUp();
    });
  },
);

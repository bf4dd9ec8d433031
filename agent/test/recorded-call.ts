import { expect } from 'vitest';
import { recordingBytes, recordingPages } from '../../db/queries/calls/recordings.js';
import { play } from './recorded-sound.js';
import { agentIsHere, patience, type RingingCall, type World } from './world.js';

const greeting = { text: 'Good day, this is the clinic.', interruptible: false };
const config = { name: 'Test', languages: { english: { prompt: 'Talk.', greeting } } };

/** The stored pages of a call's recording. */
export const pages = (world: World, call: RingingCall) => recordingPages(world.database.db, world.accountId, call.id);

/** The recording of a call, decoded. */
export async function recordingOf(world: World, call: RingingCall) {
  const [stored, pieces] = [await pages(world, call), [] as Buffer[]];
  const own = { accountId: world.accountId, callId: call.id };
  for await (const piece of recordingBytes(world.database.db, own, { sequence: 0, pages: stored.length })) {
    pieces.push(piece);
  }
  return play(Buffer.concat(pieces));
}

/** A call that was answered and whose callee has heard the greeting. */
export async function greeted(world: World, options: object): Promise<RingingCall> {
  const call = await world.ring(config, {}, options);
  await agentIsHere(world, call);
  await call.answer();
  await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(1);
  return call;
}

/** The callee asks something and hears the answer. */
export async function talks(world: World, call: RingingCall): Promise<void> {
  const heard = call.callee.heardSeconds();
  world.speech.hears.push('What time is it?');
  world.speech.answers.push({ text: 'It is time to test recordings.' });
  await call.callee.speak(1.6);
  await expect.poll(() => call.callee.heardSeconds() - heard, patience).toBeGreaterThan(1);
}

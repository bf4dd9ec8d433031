import { expect } from 'vitest';
import { recordingBytes, recordingPages } from '../../db/queries/calls/recordings.js';
import { play } from './recorded-sound.js';
import { agentIsHere, patience, type RingingCall, type AgentTestEnv } from './test-env.js';

const greeting = { text: 'Good day, this is the clinic.', interruptible: false };
export const config = { name: 'Test', languages: { english: { prompt: 'Talk.', greeting } } };

/** The stored pages of a call's recording. */
export const pages = (testEnv: AgentTestEnv, call: Pick<RingingCall, 'id'>) =>
  recordingPages(testEnv.database.db, testEnv.accountId, call.id);

/** The recording of a call, decoded. */
export async function recordingOf(testEnv: AgentTestEnv, call: Pick<RingingCall, 'id'>) {
  const [stored, pieces] = [await pages(testEnv, call), [] as Buffer[]];
  const own = { accountId: testEnv.accountId, callId: call.id };
  for await (const piece of recordingBytes(testEnv.database.db, own, { sequence: 0, pages: stored.length })) {
    pieces.push(piece);
  }
  return play(Buffer.concat(pieces));
}

/** A call that was answered and whose callee has heard the greeting. */
export async function greeted(testEnv: AgentTestEnv, options: object): Promise<RingingCall> {
  const call = await testEnv.ring(config, {}, options);
  await agentIsHere(testEnv, call);
  await call.answer();
  await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(1);
  return call;
}

/** The callee asks something and hears the answer. */
export async function talks(testEnv: AgentTestEnv, call: RingingCall): Promise<void> {
  const heard = call.callee.heardSeconds();
  testEnv.speech.hears.push('What time is it?');
  testEnv.speech.answers.push({ text: 'It is time to test recordings.' });
  await call.callee.speak(1.6);
  await expect.poll(() => call.callee.heardSeconds() - heard, patience).toBeGreaterThan(1);
}

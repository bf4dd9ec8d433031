import { expect } from 'vitest';
import type { Answer } from './speech-script.js';
import { agentIsHere, patience, type Place, type RingingCall, type AgentTestEnv } from './test-env.js';

/** Processes start, and speech takes as long as it takes. */
export const timeout = 180_000;

export const greeting = { text: 'Good day {{first_name}}, this is the clinic.', interruptible: true };

/** A config of one language. @param change of its block */
export const english = (change: object = {}) => ({
  name: 'Test',
  languages: { english: { prompt: 'Remind {{first_name}}.', greeting, ...change } as object },
});

/** Rings and is answered, with the agent in the room. */
export async function answered(
  testEnv: AgentTestEnv,
  config: object,
  metadata: object = { first_name: 'Ada' },
  place: Place = {},
): Promise<RingingCall> {
  const call = await testEnv.ring(config, metadata, {}, place);
  await agentIsHere(testEnv, call);
  await call.answer();
  return call;
}

/** Rings, is answered, and has heard the greeting. */
export async function talking(
  testEnv: AgentTestEnv,
  config: object,
  metadata: object = { first_name: 'Ada' },
  place: Place = {},
): Promise<RingingCall> {
  const call = await answered(testEnv, config, metadata, place);
  await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(0.8);
  await said(call, [{ speaker: 'agent' }]);
  return call;
}

/** The transcript becomes these lines. */
export const said = (call: RingingCall, lines: readonly object[]) =>
  expect.poll(async () => (await call.row()).transcript, patience).toMatchObject(lines);

/** These are among the lines of the transcript, whatever else was said. */
export const saidAmong = (call: RingingCall, ...texts: readonly string[]) =>
  expect
    .poll(async () => (await call.row()).transcript, patience)
    .toEqual(expect.arrayContaining(texts.map((text): unknown => expect.objectContaining({ text }))));

/** The callee says something, which is understood as these words. */
export async function says(
  testEnv: AgentTestEnv,
  call: RingingCall,
  words: string,
  ...answers: readonly Answer[]
): Promise<void> {
  testEnv.speech.hears.push(words);
  testEnv.speech.answers.push(...answers);
  await call.callee.speak(1.6);
}

/** The leg ends. */
export const over = (call: RingingCall) => expect.poll(() => call.callee.isGone(), patience).toBe(true);

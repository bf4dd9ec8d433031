import { setImmediate } from 'node:timers/promises';
import { initializeLogger, llm } from '@livekit/agents';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtInNames } from '../../domain/session-plan/tool-names.js';
import { buildLlm } from '../models/models.js';
import { whenLate } from '../models/promptness.js';
import type { Fault } from './speech-script.js';
import { type SpeechServer, startSpeechServer } from './speech-server.js';

initializeLogger({ pretty: false, level: 'silent' });

let speech: SpeechServer;
beforeAll(async () => {
  speech = await startSpeechServer();
});
afterAll(() => speech.close());

/** As a machine that does not run the process. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** What is due has run, and what that has put off to the end of its round too. */
async function catchUp(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await setImmediate();
}

test('a model is not late because the process stood still', async () => {
  let isLate = false;
  const inTime = whenLate(10_000, () => {
    isLate = true;
  });
  standStill(1_500);
  await catchUp();
  inTime();
  expect(isLate).toBe(false);
  const soon = new Promise<void>((resolve) => whenLate(10, resolve));
  await soon;
});

test('what came in while the process stood still is read before a model counts as late', async () => {
  const order: string[] = [];
  const late = new Promise<void>((resolve) => {
    whenLate(10, () => {
      order.push('late');
      resolve();
    });
  });
  process.nextTick(() => order.push('an answer'));
  standStill(100);
  await late;
  expect(order).toEqual(['an answer', 'late']);
});

/** Asks a model with this fault for its words, after this function. @returns what went wrong */
async function wordsAfter(called: string, fault: Fault, toolChoice: llm.ToolChoice = 'auto'): Promise<string[]> {
  // One that failed is tried again later, and takes answers of its script.
  const name = `${fault}-${toolChoice as string}`;
  speech.faults.set(name, fault);
  const choice = { provider: 'custom', model: name, voice: null, language: 'en', keyPath: null };
  const model = buildLlm([choice], { keyOf: () => 'key', baseUrlOf: () => speech.url });
  const errors: string[] = [];
  model.on('error', ({ error }) => errors.push(error.message));
  const chatCtx = llm.ChatContext.empty();
  chatCtx.addMessage({ role: 'user', content: 'For sales press one.' });
  const call = { callId: 'call_1', name: called };
  chatCtx.insert([
    llm.FunctionCall.create({ ...call, args: '{}' }),
    llm.FunctionCallOutput.create({ ...call, output: 'Done.', isError: false }),
  ]);
  const connOptions = { maxRetry: 0, timeoutMs: 5_000, retryIntervalMs: 0 };
  const answer = model.chat({ chatCtx, toolChoice, connOptions });
  while ((await answer.next()).done !== true);
  return errors;
}

test('a model may have nothing to say once it has pressed keys, and after no other function', async () => {
  const keys = [builtInNames([]), builtInNames(['press_keys'])].map((names) => names.press_keys);
  for (const name of keys) expect(await wordsAfter(name, 'empty')).toEqual([]);
  for (const name of ['search_knowledge', 'impress_keys']) {
    expect(await wordsAfter(name, 'empty')).toEqual([expect.stringContaining('all LLMs failed')]);
  }
});

test('a function that a model calls although it must not is no answer', async () => {
  for (const choice of ['auto', 'none'])
    speech.scripts.set(`disobeys-${choice}`, { hears: [], answers: [{ tool: 'search_knowledge' }] });
  expect(await wordsAfter('search_knowledge', 'disobeys')).toEqual([]);
  expect(await wordsAfter('search_knowledge', 'disobeys', 'none')).toEqual(['the model answered nothing']);
});

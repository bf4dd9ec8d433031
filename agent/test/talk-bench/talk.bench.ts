import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findLiveKitServer } from '../../../test/setup/livekit-server.js';
import { talking } from '../talk.js';
import { agentTestEnv, patience, type AgentTestEnv, type RingingCall, setUp } from '../test-env.js';
import { type Speech, speeches } from './sentences.js';
import { type Speaker, spoken } from './spoken.js';

/** How long a callee pauses within a sentence. */
const pausesMs = [500, 1_000, 1_500];
/** Nothing in an answer of instant models takes longer. */
const mostMs = 15_000;
const quietMs = 700;

/**
 * `TALK_TURNS`: a `turnDetection` block to measure instead of the defaults; `TALK_VOICE`: `voiceProcessing`; `TALK_LANGUAGES`: those
 * of `speeches` that are spoken, with commas between them.
 */
const languages = process.env.TALK_LANGUAGES?.split(',');
const fromVariable = (name: string): object => JSON.parse(process.env[name] ?? '{}') as object;

interface Answered {
  readonly language: string;
  readonly text: string;
  readonly voice: string;
  /** From the end of speech to the first sound of the answer at the callee. */
  readonly afterMs: number;
}

interface Paused {
  readonly language: string;
  readonly text: string;
  readonly pauseMs: number;
  readonly wasInterrupted: boolean;
}

const program = findLiveKitServer();
if (program === undefined) throw new Error('The bench needs a LiveKit server: set LIVEKIT_SERVER_BIN.');
execFileSync('espeak-ng', ['--version']);

let testEnv: AgentTestEnv;
beforeAll(async () => {
  testEnv = await agentTestEnv(program, { OUTDIAL_AGENT_WARM: '1' });
}, setUp);
afterAll(() => testEnv.close());

/** The agent has finished what it said, and a moment has passed. */
async function quiet({ callee }: RingingCall): Promise<void> {
  while (callee.heardAfter(Date.now() - quietMs) !== undefined) await pause(50);
}

async function answerAfter({ callee }: RingingCall, endedMs: number): Promise<number> {
  await expect.poll(() => callee.heardAfter(endedMs), { ...patience, timeout: mostMs, interval: 20 }).toBeDefined();
  return (callee.heardAfter(endedMs) ?? 0) - endedMs;
}

/** Says a sentence, which is transcribed without a mistake, and hears the answer. */
async function say(call: RingingCall, text: string, speaker: Speaker): Promise<number> {
  testEnv.speech.hears.push(text);
  testEnv.speech.answers.push({ text: 'That is good to hear.' });
  const afterMs = await answerAfter(call, await call.callee.say(spoken(text, speaker)));
  await quiet(call);
  return afterMs;
}

/** Pauses in the middle of a sentence. @returns whether the agent spoke before the callee went on */
async function sayInParts(call: RingingCall, parts: readonly [string, string], speaker: Speaker, pauseMs: number) {
  const [first, second] = parts.map((part) => spoken(part, speaker));
  testEnv.speech.hears.push(...parts);
  testEnv.speech.answers.push({ text: 'That is good to hear.' }, { text: 'That is good to hear.' });
  const endedMs = await call.callee.say(first ?? new Int16Array(0));
  // The second part is sent when what waits in the queue has been.
  await pause(Math.max(0, endedMs + pauseMs - Date.now()));
  const wasInterrupted = call.callee.heardAfter(endedMs) !== undefined;
  await answerAfter(call, await call.callee.say(second ?? new Int16Array(0)));
  await quiet(call);
  for (const list of [testEnv.speech.hears, testEnv.speech.answers]) list.length = 0;
  return wasInterrupted;
}

async function converse({ language, speakers, finished, unfinished }: Speech) {
  const answered: Answered[] = [];
  const paused: Paused[] = [];
  for (const speaker of speakers) {
    const block = { prompt: 'Talk.', greeting: { text: 'Good day, this is the clinic.', interruptible: true } };
    const call = await talking(testEnv, {
      name: 'Talk',
      languages: { [language]: { ...block, turnDetection: fromVariable('TALK_TURNS') } },
      voiceProcessing: fromVariable('TALK_VOICE'),
    });
    await quiet(call);
    for (const text of finished) {
      answered.push({ language, text, voice: speaker.voice, afterMs: Math.round(await say(call, text, speaker)) });
    }
    for (const parts of unfinished) {
      for (const pauseMs of pausesMs) {
        const wasInterrupted = await sayInParts(call, parts, speaker, pauseMs);
        paused.push({ language, text: parts.join(' … '), pauseMs, wasInterrupted });
      }
    }
    await call.callee.hangUp();
  }
  return { answered, paused };
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

test('how soon an agent answers, and how often it interrupts', { timeout: 3_600_000 }, async () => {
  const all = [];
  const chosen = speeches.filter(({ language }) => languages?.includes(language) ?? true);
  for (const speech of chosen) all.push(await converse(speech));
  const answered = all.flatMap((each) => each.answered);
  const paused = all.flatMap((each) => each.paused);
  const times = answered.map(({ afterMs }) => afterMs);
  const interrupted = (pauseMs: number) => {
    const of = paused.filter((each) => each.pauseMs === pauseMs);
    return `${of.filter(({ wasInterrupted }) => wasInterrupted).length} of ${of.length}`;
  };
  const summary = {
    answers: times.length,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    ...Object.fromEntries(pausesMs.map((pauseMs) => [`interruptedAfter${pauseMs}Ms`, interrupted(pauseMs)])),
  };
  writeFileSync('test-results/talk.json', `${JSON.stringify({ summary, answered, paused }, null, 2)}\n`);
  process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
});

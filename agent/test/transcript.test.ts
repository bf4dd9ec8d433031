import { createLogger } from '../../platform/logger.js';
import { expect, test } from 'vitest';
import type { TranscriptLine } from '../../telephony/provider.js';
import { createTranscript } from '../conversation/transcript.js';

const logger = createLogger('agent', 'silent');
const at = new Date('2026-11-21T10:00:00.000Z');
const textsOf = (lines: readonly TranscriptLine[]) => lines.map(({ text }) => text);

test('each line is stored with all before it, one write at a time', async () => {
  const stores: string[][] = [];
  let atOnce = 0;
  const transcript = createTranscript(
    [],
    async (lines) => {
      expect(++atOnce).toBe(1);
      await Promise.resolve();
      stores.push(textsOf(lines));
      atOnce--;
    },
    logger,
  );
  transcript.add('agent', 'Hello', at);
  transcript.add('callee', ' Hi ', at);
  transcript.add('agent', '  ', at);
  await transcript.flush();
  expect(stores).toEqual([['Hello'], ['Hello', 'Hi']]);
  expect(transcript.lines[1]).toEqual({ speaker: 'callee', text: 'Hi', at: '2026-11-21T10:00:00.000Z' });
});

test('what could not be stored goes with the next line, and with the last flush', async () => {
  const stores: string[][] = [];
  let isAway = true;
  const transcript = createTranscript(
    [],
    (lines) => {
      if (isAway) return Promise.reject(new Error('the database is away'));
      stores.push(textsOf(lines));
      return Promise.resolve();
    },
    logger,
  );
  transcript.add('agent', 'Hello', at);
  await transcript.flush();
  expect(stores).toEqual([]);
  isAway = false;
  await transcript.flush();
  expect(stores).toEqual([['Hello']]);
});

test('what an agent before this one has stored stays in front', async () => {
  const stores: string[][] = [];
  const before: TranscriptLine = { speaker: 'agent', text: 'Hello', at: at.toISOString() };
  const transcript = createTranscript(
    [before],
    (lines) => {
      stores.push(textsOf(lines));
      return Promise.resolve();
    },
    logger,
  );
  transcript.add('callee', 'Yes?', at);
  await transcript.flush();
  expect(stores).toEqual([['Hello', 'Yes?']]);
});

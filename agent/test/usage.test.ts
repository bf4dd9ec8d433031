import { EventEmitter } from 'node:events';
import type { llm, metrics } from '@livekit/agents';
import { expect, test } from 'vitest';
import type { ModelUsage } from '../../domain/agent/model-usage.js';
import { createLogger } from '../../platform/logger.js';
import { meterUsage } from '../conversation/usage.js';

const logger = createLogger('agent', 'silent');
const base = { label: 'x', requestId: 'r', timestamp: 1, durationMs: 1, streamed: false, cancelled: false };
const llmReport = (promptTokens: number, completionTokens: number): metrics.LLMMetrics => ({
  ...base,
  type: 'llm_metrics',
  ttftMs: 1,
  promptTokens,
  completionTokens,
  promptCachedTokens: 1,
  totalTokens: promptTokens + completionTokens,
  tokensPerSecond: 1,
});
const ttsReport = (charactersCount: number): metrics.TTSMetrics => ({
  ...base,
  type: 'tts_metrics',
  ttfbMs: 1,
  audioDurationMs: 1_500,
  charactersCount,
});
const sttReport: metrics.STTMetrics = { ...base, type: 'stt_metrics', audioDurationMs: 2_250 };

function aMeter() {
  const stores: (readonly ModelUsage[])[] = [];
  const meter = meterUsage((used) => {
    stores.push(used);
    return Promise.resolve();
  }, logger);
  return { meter, stores };
}

test('each model’s reports are added up under its own name, and stored whole', async () => {
  const { meter, stores } = aMeter();
  meter.count(llmReport(10, 2), 'openai/one');
  meter.count(llmReport(20, 3), 'openai/one');
  meter.count(llmReport(5, 1), 'groq/two');
  meter.count(ttsReport(40), 'cartesia/voice');
  meter.count(sttReport, 'deepgram/ear');
  await meter.flush();
  const nothing = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, audioSeconds: 0, characters: 0 };
  const tokens = (inputTokens: number, outputTokens: number, cachedInputTokens: number) => ({
    ...nothing,
    inputTokens,
    outputTokens,
    cachedInputTokens,
  });
  expect(stores.at(-1)).toEqual([
    { kind: 'llm', model: 'openai/one', ...tokens(30, 5, 2) },
    { kind: 'llm', model: 'groq/two', ...tokens(5, 1, 1) },
    { ...nothing, kind: 'tts', model: 'cartesia/voice', characters: 40, audioSeconds: 1.5 },
    { ...nothing, kind: 'stt', model: 'deepgram/ear', audioSeconds: 2.25 },
  ]);
});

test('what a model reports is counted, whichever part of the agent uses it', async () => {
  const { meter, stores } = aMeter();
  const model = Object.assign(new EventEmitter(), { chat: () => undefined });
  meter.watch(model as unknown as llm.LLM, 'openai/judge');
  model.emit('metrics_collected', llmReport(7, 1));
  await meter.flush();
  expect(stores.at(-1)).toMatchObject([{ model: 'openai/judge', inputTokens: 7 }]);
});

test('reports of what costs nothing are not stored', async () => {
  const { meter, stores } = aMeter();
  const vad = { label: 'vad', timestamp: 1, idleTimeMs: 1, inferenceDurationTotalMs: 1, inferenceCount: 1 };
  meter.count({ ...vad, type: 'vad_metrics' }, 'silero/vad');
  meter.count({ ...llmReport(0, 0), promptCachedTokens: 0 }, 'custom/silent');
  await meter.flush();
  expect(stores).toEqual([]);
});

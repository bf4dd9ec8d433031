import { inference, initializeLogger } from '@livekit/agents';
import { describe, expect, test } from 'vitest';
import type { InterruptionPlan, LanguagePlan, TurnPlan } from '../../domain/session-plan/types.js';
import { buildSession, buildVad, turnHandling } from '../conversation/session.js';

initializeLogger({ pretty: false, level: 'silent' });

const turn: TurnPlan = { detector: 'model', threshold: null, endpointing: 'fixed', minWaitMs: null, maxWaitMs: null };
const calm: InterruptionPlan = { minWords: 0, minDurationMs: null, resumes: true };
const speaks = (change: Partial<TurnPlan>, kind: 'pipeline' | 'realtime' = 'pipeline'): LanguagePlan => ({
  name: 'english',
  code: 'en',
  instructions: '',
  greeting: null,
  wakeUp: null,
  endCall: null,
  speech: kind === 'realtime' ? { kind, models: [] } : { kind, stt: [], llm: [], tts: [] },
  turn: { ...turn, ...change },
});

describe('what a config says of turns reaches the library as it is said', () => {
  test('the end-of-turn model runs beside the agent, with the threshold of the config', () => {
    const { turnDetection } = turnHandling(speaks({ threshold: 0.3 }), calm);
    expect(turnDetection).toBeInstanceOf(inference.TurnDetector);
    expect(turnDetection).toMatchObject({ model: 'turn-detector-v1-mini' });
    expect(JSON.stringify(turnDetection)).toContain('0.3');
  });

  test.each([
    { said: { detector: 'vad' } as const, kind: 'pipeline' as const, turnDetection: 'vad' },
    { said: {}, kind: 'realtime' as const, turnDetection: 'realtime_llm' },
  ])('$turnDetection where silence or the realtime model decides', ({ said, kind, turnDetection }) => {
    expect(turnHandling(speaks(said, kind), calm)).toMatchObject({ turnDetection });
  });

  test.each([
    { said: {}, endpointing: { mode: 'fixed' } },
    { said: { endpointing: 'dynamic' } as const, endpointing: { mode: 'dynamic' } },
    { said: { minWaitMs: 200, maxWaitMs: 900 }, endpointing: { mode: 'fixed', minDelay: 200, maxDelay: 900 } },
    { said: { minWaitMs: 0 }, endpointing: { mode: 'fixed', minDelay: 0 } },
  ])('waits $said', ({ said, endpointing }) => {
    expect(turnHandling(speaks(said), calm).endpointing).toEqual(endpointing);
  });

  test.each([
    { said: calm, interruption: { minWords: 0, resumeFalseInterruption: true } },
    { said: { minWords: 2, minDurationMs: 700, resumes: false }, interruption: { minWords: 2, minDuration: 700 } },
  ])('interruptions $said', ({ said, interruption }) => {
    const vad = buildVad({ threshold: 0.5, minSpeechMs: null, minSilenceMs: null });
    const handled = buildSession(vad, said).sessionOptions.turnHandling.interruption;
    expect(handled).toMatchObject({ enabled: true, mode: 'vad', ...interruption });
    expect(handled.resumeFalseInterruption).toBe(said.resumes);
  });

  test('the voice detector takes threshold and durations of the config', () => {
    const vad = buildVad({ threshold: 0.7, minSpeechMs: 120, minSilenceMs: 340 });
    expect(Object.values(vad)).toContainEqual(
      expect.objectContaining({ activationThreshold: 0.7, minSpeechDuration: 120, minSilenceDuration: 340 }),
    );
  });
});

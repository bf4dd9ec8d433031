import type { AgentConfig, LanguageBlock } from '../agent-config/schema.js';
import { type Language } from '../agent/languages.js';
import { findModel, speaks } from '../agent/models.js';
import type { InterruptionPlan, TurnPlan, VadPlan, WakeUpPlan } from './types.js';

const toMs = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Math.round(seconds * 1000);

/** The end-of-turn model that a config gets which names none. */
export const defaultTurnDetector = 'livekit/turn-detector';

/** Silence alone ends a turn if the config says so, and in languages that the model does not know. */
function detectorFor(slug: string, language: Language): TurnPlan['detector'] {
  const found = findModel(slug, 'turn-detection');
  if (typeof found === 'string' || found.provider.id !== 'livekit') return 'vad';
  return speaks(found.model, language.code) ? 'model' : 'vad';
}

/** How long an agent waits that does not take the sentence as finished: docs/adr/0052. */
const unsureWaitMs = 1_200;

export function turnPlan({ turnDetection }: LanguageBlock, language: Language): TurnPlan {
  const isAdaptive = turnDetection?.mode === 'adaptive';
  const minWaitMs = toMs(turnDetection?.minWaitSeconds);
  return {
    detector: detectorFor(turnDetection?.model ?? defaultTurnDetector, language),
    threshold: turnDetection?.threshold ?? null,
    endpointing: isAdaptive ? 'dynamic' : 'fixed',
    minWaitMs,
    // Waits that follow the callee may become as long as the library lets them.
    maxWaitMs: toMs(turnDetection?.maxWaitSeconds) ?? (isAdaptive ? null : Math.max(unsureWaitMs, minWaitMs ?? 0)),
  };
}

/** @param message with its placeholders filled */
export function wakeUpPlan({ wakeUp }: LanguageBlock, message: string | null): WakeUpPlan | null {
  const afterMs = toMs(wakeUp?.afterSeconds);
  return wakeUp?.enabled !== true || afterMs === null || message === null ? null : { afterMs, message };
}

const thresholdOf = { low: 0.7, medium: 0.5, high: 0.3 } as const;

/** The more sensitive, the less certain it must be that a sound is speech; a threshold of the config's own stands above. */
export const vadPlan = (vad: NonNullable<AgentConfig['voiceProcessing']>['vad']): VadPlan => ({
  threshold: vad?.threshold ?? thresholdOf[vad?.sensitivity ?? 'medium'],
  minSpeechMs: toMs(vad?.minSpeechDuration),
  minSilenceMs: toMs(vad?.minSilenceDuration),
});

/**
 * `vad`: any speech interrupts. `stt`: only words do, so at least one. `hybrid`, the default: speech interrupts, and the
 * agent goes on with its sentence if no words followed.
 */
export function interruptionPlan(
  interruption: NonNullable<AgentConfig['voiceProcessing']>['interruption'],
): InterruptionPlan {
  const mode = interruption?.mode ?? 'hybrid';
  const minWords = interruption?.minWords ?? 0;
  return {
    minWords: mode === 'stt' ? Math.max(1, minWords) : minWords,
    minDurationMs: toMs(interruption?.minDuration),
    resumes: mode !== 'vad',
  };
}

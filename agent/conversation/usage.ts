import type { llm, metrics, stt, tts } from '@livekit/agents';
import type { ModelUsage, UsageKind } from '../../domain/agent/model-usage.js';
import type { Logger } from '../../platform/logger.js';
import { writeBehind } from './write-behind.js';

type Metrics = metrics.AgentMetrics;
type Counts = Omit<ModelUsage, 'kind' | 'model'>;

/** Counts what the models of one conversation use. */
export interface UsageMeter {
  /** Counts what a model reports of itself, fallbacks and helpers each by their own name. */
  readonly watch: (model: stt.STT | llm.LLM | tts.TTS, slug: string) => void;
  /** Counts what a speech-to-speech model has reported through its session. */
  count(reported: Metrics, slug: string): void;
  /** See write-behind.ts. */
  flush(): Promise<boolean>;
}

const nothing: Counts = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, audioSeconds: 0, characters: 0 };

/** The usage in a report of LiveKit Agents; null if it has nothing that a provider is paid for. */
function countsOf(reported: Metrics): { readonly kind: UsageKind; readonly counts: Counts } | null {
  switch (reported.type) {
    case 'llm_metrics': {
      const { promptTokens, promptCachedTokens, completionTokens } = reported;
      const tokens = {
        inputTokens: promptTokens,
        cachedInputTokens: promptCachedTokens,
        outputTokens: completionTokens,
      };
      return { kind: 'llm', counts: { ...nothing, ...tokens } };
    }
    case 'realtime_model_metrics': {
      const { inputTokens, outputTokens, inputTokenDetails } = reported;
      const tokens = { inputTokens, cachedInputTokens: inputTokenDetails.cachedTokens, outputTokens };
      return { kind: 'realtime', counts: { ...nothing, ...tokens } };
    }
    case 'stt_metrics': {
      const { inputTokens = 0, outputTokens = 0, audioDurationMs } = reported;
      return { kind: 'stt', counts: { ...nothing, inputTokens, outputTokens, audioSeconds: audioDurationMs / 1000 } };
    }
    case 'tts_metrics': {
      const { inputTokens = 0, outputTokens = 0, audioDurationMs, charactersCount: characters } = reported;
      const audioSeconds = audioDurationMs / 1000;
      return { kind: 'tts', counts: { ...nothing, inputTokens, outputTokens, audioSeconds, characters } };
    }
    default:
      return null;
  }
}

const sum = (a: Counts, b: Counts): Counts => ({
  inputTokens: a.inputTokens + b.inputTokens,
  cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  audioSeconds: a.audioSeconds + b.audioSeconds,
  characters: a.characters + b.characters,
});

/**
 * Adds up what models use and stores it as it grows.
 *
 * @param store replaces what this conversation has used so far
 */
export function meterUsage(store: (used: readonly ModelUsage[]) => Promise<void>, logger: Logger): UsageMeter {
  const totals = new Map<string, ModelUsage>();
  const behind = writeBehind(() => store([...totals.values()]), 'the usage of models', logger);

  function count(reported: Metrics, model: string): void {
    const found = countsOf(reported);
    if (found === null || Object.values(found.counts).every((value) => value === 0)) return;
    const { kind, counts } = found;
    const key = `${kind} ${model}`;
    totals.set(key, { kind, model, ...sum(totals.get(key) ?? nothing, counts) });
    behind.changed();
  }

  return {
    count,
    watch(model, slug) {
      const counted = (reported: Metrics): void => count(reported, slug);
      // Three emitters with the same event, each typed with its own reports.
      if ('synthesize' in model) model.on('metrics_collected', counted);
      else if ('chat' in model) model.on('metrics_collected', counted);
      else model.on('metrics_collected', counted);
    },
    flush: () => behind.flush(),
  };
}

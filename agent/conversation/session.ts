import { inference, type llm, type VAD, voice } from '@livekit/agents';
import type {
  InterruptionPlan,
  LanguagePlan,
  SessionPlan,
  TurnPlan,
  VadPlan,
} from '../../domain/session-plan/types.js';
import { buildLlm, buildRealtime, buildStt, buildTts, type ModelAccess } from '../models/models.js';

export const buildVad = ({ threshold, minSpeechMs, minSilenceMs }: VadPlan): inference.VAD =>
  new inference.VAD({
    model: 'silero',
    activationThreshold: threshold,
    ...(minSpeechMs === null ? {} : { minSpeechDuration: minSpeechMs }),
    ...(minSilenceMs === null ? {} : { minSilenceDuration: minSilenceMs }),
  });

/** The local end-of-turn model is named outright: left open, the library would ask LiveKit's cloud first. */
const detectorOf = ({ detector, threshold }: TurnPlan) =>
  detector === 'vad'
    ? ('vad' as const)
    : new inference.TurnDetector({
        version: 'v1-mini',
        ...(threshold === null ? {} : { unlikelyThreshold: threshold }),
      });

const endpointingOf = ({ endpointing, minWaitMs, maxWaitMs }: TurnPlan) => ({
  mode: endpointing,
  ...(minWaitMs === null ? {} : { minDelay: minWaitMs }),
  ...(maxWaitMs === null ? {} : { maxDelay: maxWaitMs }),
});

/** Only LiveKit's cloud has a model that detects interruptions: here they are detected by speech, and by words if configured. */
const interruptionOf = ({ minWords, minDurationMs, resumes }: InterruptionPlan) => ({
  enabled: true,
  mode: 'vad' as const,
  minWords,
  resumeFalseInterruption: resumes,
  ...(minDurationMs === null ? {} : { minDuration: minDurationMs }),
});

/** How the agent is interrupted, and prepares its answers, in every language. */
const answering = (interruption: InterruptionPlan) => ({
  interruption: interruptionOf(interruption),
  preemptiveGeneration: { enabled: true },
});

/** How turns are taken in a language. A realtime model decides by itself when the callee has finished. */
export const turnHandling = (language: LanguagePlan, interruption: InterruptionPlan) => ({
  turnDetection: language.speech.kind === 'realtime' ? ('realtime_llm' as const) : detectorOf(language.turn),
  endpointing: endpointingOf(language.turn),
  ...answering(interruption),
});

/** An agent that speaks one language. */
class LanguageAgent extends voice.Agent {
  constructor(
    options: voice.AgentOptions<unknown>,
    private readonly entered: () => void,
  ) {
    super(options);
  }

  override onEnter(): Promise<void> {
    this.entered();
    return Promise.resolve();
  }
}

/**
 * @param realtimeIndex which of the language's realtime models speaks: those before it have failed
 * @param entered called when it takes the conversation over
 */
export function buildAgent(options: {
  readonly language: LanguagePlan;
  readonly plan: SessionPlan;
  readonly access: ModelAccess;
  readonly vad: VAD;
  readonly tools: readonly llm.FunctionTool[];
  readonly chatCtx: llm.ChatContext;
  readonly realtimeIndex: number;
  readonly entered: () => void;
}): voice.Agent {
  const { language, plan, access, vad } = options;
  const { speech } = language;
  const base = {
    id: `outdial-${language.name}`,
    instructions: language.instructions,
    chatCtx: options.chatCtx,
    tools: [...options.tools],
    turnHandling: turnHandling(language, plan.interruption),
  };
  if (speech.kind === 'realtime') {
    const choice = speech.models[options.realtimeIndex];
    if (choice === undefined) throw new Error(`${language.name} has no realtime model left`);
    return new LanguageAgent({ ...base, llm: buildRealtime(choice, access, speech.models.length) }, options.entered);
  }
  return new LanguageAgent(
    {
      ...base,
      stt: buildStt(speech.stt, access, vad),
      llm: buildLlm(speech.llm, access),
      tts: buildTts(speech.tts, access),
    },
    options.entered,
  );
}

/**
 * A session without models: each language's agent brings them. How the agent is interrupted is said here too:
 * the library looks at the session for it.
 */
export const buildSession = (vad: VAD, interruption: InterruptionPlan): voice.AgentSession =>
  new voice.AgentSession({
    vad,
    turnHandling: answering(interruption),
    // Silence has its own timer, and a telephone's carrier cancels echo.
    userAwayTimeout: null,
    aecWarmupDuration: null,
    connOptions: {
      sttConnOptions: { timeoutMs: 3_000 },
      // Fallbacks come first, and what follows when all have failed is recovery.ts's to say.
      llmConnOptions: { maxRetry: 0 },
      ttsConnOptions: { maxRetry: 0 },
      maxUnrecoverableErrors: Infinity,
    },
  });

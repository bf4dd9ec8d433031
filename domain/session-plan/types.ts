import type { TransferMode } from '../call/warm-transfer.js';
import type { JsonObject } from '../input/json-value.js';

/** What a call brings to its conversation, besides its agent's config. */
export interface CallFacts {
  /** The row's or the caller's own data. */
  readonly metadata: JsonObject;
  /** Language that the recipient was sent with; null: `language` of the metadata says it, if anything does. */
  readonly language?: string | null;
  /** `agentMetadata` of the routing rule. */
  readonly agentMetadata: JsonObject;
  /** Spoken before anything else; null if the account's guardrails ask for none. */
  readonly disclosure: string | null;
  /** Keys that the callee presses are heard, and the agent may press some. */
  readonly dtmf: boolean;
  /** A recipient of a batch, who can be called again; omitted: not one. */
  readonly canCallBack?: boolean;
  /** The rule asks for noise cancellation, whatever the config says. */
  readonly noiseCancellation: boolean;
}

/** A model to be built: one entry of a slot. */
export interface ModelChoice {
  /** Id in the catalogue. */
  readonly provider: string;
  /** Id at the provider. */
  readonly model: string;
  readonly voice: string | null;
  /** Language code: that of the entry, else the plain code of its block. */
  readonly language: string;
  /** Where the caller's own key is among the version's secrets; null: the service's key is used. */
  readonly keyPath: string | null;
}

/** Who hears, thinks and speaks; in each list the first is used and the rest are fallbacks in order. */
export type SpeechPlan =
  | { readonly kind: 'realtime'; readonly models: readonly ModelChoice[] }
  | {
      readonly kind: 'pipeline';
      readonly stt: readonly ModelChoice[];
      readonly llm: readonly ModelChoice[];
      readonly tts: readonly ModelChoice[];
    };

export interface TurnPlan {
  /** `model`: the end-of-turn model that runs beside the agent; `vad`: silence alone. */
  readonly detector: 'model' | 'vad';
  /** How sure the model must be, 0 to 1; null: its own threshold for the language. */
  readonly threshold: number | null;
  readonly endpointing: 'fixed' | 'dynamic';
  /** null: the library's own. */
  readonly minWaitMs: number | null;
  readonly maxWaitMs: number | null;
}

export interface WakeUpPlan {
  readonly afterMs: number;
  readonly message: string;
}

export interface EndCallPlan {
  /** The config's rule in words; null: the agent judges by itself. */
  readonly when: string | null;
  /** Said before hanging up; null: the agent finds its own words. */
  readonly message: string | null;
}

/** Everything that varies by language. */
export interface LanguagePlan {
  /** Canonical name. */
  readonly name: string;
  readonly code: string;
  readonly instructions: string;
  /** null: the callee speaks first. */
  readonly greeting: {
    readonly text: string;
    readonly interruptible: boolean;
    /** It has no placeholders: every call hears the same. */
    readonly isShared: boolean;
  } | null;
  readonly speech: SpeechPlan;
  readonly turn: TurnPlan;
  readonly wakeUp: WakeUpPlan | null;
  readonly endCall: EndCallPlan | null;
}

export interface VadPlan {
  /** Probability from which a sound is speech, 0 to 1. */
  readonly threshold: number;
  /** null: the library's own. */
  readonly minSpeechMs: number | null;
  readonly minSilenceMs: number | null;
}

export interface InterruptionPlan {
  /** Words that the callee must have said; 0: any sound of speech interrupts. */
  readonly minWords: number;
  readonly minDurationMs: number | null;
  /** Whether the agent resumes after a sound that was not speech interrupted it. */
  readonly resumes: boolean;
}

export interface VoicemailPlan {
  readonly action: 'hangup' | 'message' | 'ignore';
  readonly message: string | null;
  /** Models that tell a machine from a person if a realtime model carries the conversation; null: the language's own. */
  readonly judges: { readonly stt: ModelChoice; readonly llm: ModelChoice } | null;
}

/** A conversation, planned: everything that a config and a call decide, nothing of the library that carries it out. */
export interface SessionPlan {
  /** Name of the language that the call begins in. */
  readonly language: string;
  readonly languages: readonly LanguagePlan[];
  readonly disclosure: string | null;
  readonly vad: VadPlan;
  readonly interruption: InterruptionPlan;
  readonly noiseCancellation: boolean;
  /** null: no one asked whether a machine answered. */
  readonly voicemail: VoicemailPlan | null;
  /** Targets that the callee can be transferred to: E.164, `sip:` or `tel:`; null: none. */
  readonly transferTo: string | null;
  /** How: a call that came in is transferred cold whatever it says. */
  readonly transferMode: TransferMode;
  /** Callees may name a time at which they are called again; null: they may not. */
  readonly callbacks: { readonly withinDays: number; readonly most: number } | null;
  readonly toolIds: readonly string[];
  readonly knowledgeBaseIds: readonly string[];
  readonly dtmf: boolean;
  /** Placeholders that had no value, for the log. */
  readonly missing: readonly string[];
}

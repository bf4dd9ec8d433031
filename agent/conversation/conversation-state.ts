import type { LanguagePlan, SessionPlan } from '../../domain/session-plan/types.js';

/** What a conversation must remember from one event to the next. */
export interface ConversationState {
  readonly language: LanguagePlan;
  /** Index of the language's realtime model that speaks; 0 for a language without realtime models. */
  readonly realtimeIndex: number;
  /** The agent has been audible: the first words are not to be said again. */
  readonly heard: boolean;
}

export type ConversationEvent =
  | { readonly type: 'agent_spoke' }
  /** The agent of another language has taken over. */
  | { readonly type: 'language_changed'; readonly language: LanguagePlan }
  /** The model of the session has failed for good. */
  | { readonly type: 'model_failed' };

/** @throws if the plan has no language */
export function beginConversation(plan: SessionPlan): ConversationState {
  const language = plan.languages.find(({ name }) => name === plan.language) ?? plan.languages[0];
  if (language === undefined) throw new Error('the version has no language');
  return { language, realtimeIndex: 0, heard: false };
}

/** @returns the same state if a model has failed and the language has no other realtime model */
export function nextConversation(state: ConversationState, event: ConversationEvent): ConversationState {
  switch (event.type) {
    case 'agent_spoke':
      return { ...state, heard: true };
    case 'language_changed':
      return { ...state, language: event.language, realtimeIndex: 0 };
    case 'model_failed': {
      // Models of a pipeline have their fallbacks inside the model.
      const { speech } = state.language;
      const models = speech.kind === 'realtime' ? speech.models.length : 0;
      return state.realtimeIndex + 1 < models ? { ...state, realtimeIndex: state.realtimeIndex + 1 } : state;
    }
  }
}

/** Something that the agent says word for word. */
export interface GivenWords {
  readonly text: string;
  readonly interruptible: boolean;
  /** Every call hears the same. */
  readonly isShared: boolean;
}

/** What the agent says first: the disclosure, which cannot be interrupted, then the greeting. */
export const firstWordsOf = (plan: SessionPlan, language: LanguagePlan): readonly GivenWords[] => [
  ...(plan.disclosure === null ? [] : [{ text: plan.disclosure, interruptible: false, isShared: true }]),
  ...(language.greeting === null ? [] : [language.greeting]),
];

/**
 * What breaks a silence that the agent owes the callee, after a model or a process has failed: the first words if they have
 * not been heard, else the model continues the conversation.
 */
export const afterFailure = (state: ConversationState, firstWords: readonly GivenWords[]): 'first_words' | 'go_on' =>
  state.heard || firstWords.length === 0 ? 'go_on' : 'first_words';

import { z } from 'zod';
import { isTranscriptOpen } from '../db/queries/calls/agent-runs.js';
import { askedFor, callToAskAbout } from '../db/queries/calls/call-to-ask-about.js';
import type { ConversationRef } from '../db/queries/calls/conversation-of.js';
import { settleSummary, storeSummary } from '../db/queries/calls/summaries.js';
import type { SummaryError } from '../domain/agent/call-summary.js';
import { summaryMessages } from '../domain/agent/summary-prompt.js';
import { completeChat } from '../platform/openai-protocol.js';
import type { ActivityDeps } from './deps.js';
import { countAnswer, isFollowed, modelAfterCall, refusalOf } from './model-after-call.js';

/** How long a model may take. */
const answerWithinMs = 60_000;
/** Of a model's answer, what is kept. */
const longestSummary = 20_000;

// Only a config that was validated is ever stored.
const StoredSettings = z.object({
  llm: z.object({ model: z.string() }).optional(),
  instruction: z.string().optional(),
});

/** What the workflow that summarizes a call can cause. What was said, and keys, stay between Postgres and the model. */
export const summaryActivities = (deps: ActivityDeps) => {
  const { db } = deps.database;
  return {
    isTranscriptOpen: ({ accountId, callId }: ConversationRef): Promise<boolean> =>
      isTranscriptOpen(db, accountId, callId),

    /**
     * Makes and stores the summary of a conversation.
     *
     * @returns why there will be none, or null if there is one, or if another conversation has followed
     * @throws ApplicationFailure if asking again later may help
     */
    async makeSummary({ accountId, callId, attempt }: ConversationRef): Promise<SummaryError | null> {
      const call = await callToAskAbout(db, accountId, callId, askedFor.summary);
      if (call?.isAnswered === true || isFollowed(attempt, call)) return null;
      const conversation = { accountId, callId, attempt: attempt ?? call?.attempt ?? 1 };
      const transcript = z.array(z.unknown()).min(1).safeParse(call?.transcript);
      if (call === null || !transcript.success) return 'no_transcript';
      const settings = StoredSettings.parse(call.settings ?? {});
      const { slug, endpoint } = modelAfterCall(deps, {
        accountId,
        ...call,
        keyPath: askedFor.summary.keyPath,
        model: settings.llm?.model,
      });
      if (typeof endpoint === 'string') return endpoint;
      try {
        const messages = summaryMessages(settings.instruction, transcript.data);
        const { text: summary, tokens } = await completeChat({ ...endpoint, messages, timeoutMs: answerWithinMs });
        await countAnswer(db, conversation, 'summary', slug, tokens);
        if (summary === '') return 'empty_answer';
        await storeSummary(db, conversation, summary.slice(0, longestSummary));
        return null;
      } catch (error) {
        return refusalOf(error);
      }
    },

    settleSummary: ({
      problem,
      ...conversation
    }: ConversationRef & { readonly problem: SummaryError | null }): Promise<void> =>
      settleSummary(db, conversation, problem),
  };
};

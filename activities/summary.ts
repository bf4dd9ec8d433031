import { z } from 'zod';
import { isTranscriptOpen } from '../db/queries/calls/agent-runs.js';
import { callToSummarize, settleSummary, storeSummary, summaryKeyPath } from '../db/queries/calls/summaries.js';
import { storeModelUsage } from '../db/queries/calls/model-usage.js';
import type { SummaryError } from '../domain/agent/call-summary.js';
import { summaryMessages } from '../domain/agent/summary-prompt.js';
import { completeChat } from '../platform/chat-completion.js';
import type { ActivityDeps } from './deps.js';
import { modelAfterCall, refusalOf } from './model-after-call.js';

interface CallRef {
  readonly accountId: string;
  readonly callId: string;
}

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
    isTranscriptOpen: ({ accountId, callId }: CallRef): Promise<boolean> => isTranscriptOpen(db, accountId, callId),

    /**
     * Makes and stores the summary of a call.
     *
     * @returns why there will be none, or null if there is one
     * @throws ApplicationFailure if asking again later may help
     */
    async makeSummary({ accountId, callId }: CallRef): Promise<SummaryError | null> {
      const call = await callToSummarize(db, accountId, callId);
      if (call !== null && call.summary !== null) return null;
      const transcript = z.array(z.unknown()).min(1).safeParse(call?.transcript);
      if (call === null || !transcript.success) return 'no_transcript';
      const settings = StoredSettings.parse(call.callSummary ?? {});
      const { slug, endpoint } = modelAfterCall(deps, {
        accountId,
        ...call,
        keyPath: summaryKeyPath,
        model: settings.llm?.model,
      });
      if (typeof endpoint === 'string') return endpoint;
      try {
        const messages = summaryMessages(settings.instruction, transcript.data);
        const { text: summary, tokens } = await completeChat({ ...endpoint, messages, timeoutMs: answerWithinMs });
        const used = { kind: 'llm' as const, model: slug, ...tokens, audioSeconds: 0, characters: 0 };
        await storeModelUsage(db, { accountId, callId, source: 'summary' }, [used]);
        if (summary === '') return 'empty_answer';
        await storeSummary(db, accountId, callId, summary.slice(0, longestSummary));
        return null;
      } catch (error) {
        return refusalOf(error);
      }
    },

    settleSummary: ({
      accountId,
      callId,
      problem,
    }: CallRef & { readonly problem: SummaryError | null }): Promise<void> =>
      settleSummary(db, accountId, callId, problem),
  };
};

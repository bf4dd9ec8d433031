import { Context } from '@temporalio/activity';
import { z } from 'zod';
import { settleAnalysis, storeAnalysis } from '../db/queries/calls/analyses.js';
import { askedFor, callToAskAbout } from '../db/queries/calls/call-to-ask-about.js';
import type { ConversationRef } from '../db/queries/calls/conversation-of.js';
import {
  analysisMessages,
  correctionMessages,
  mostAnalysisQuestions,
  objectOfAnswer,
} from '../domain/agent/analysis-prompt.js';
import { type Analysis, type AnalysisError, type AnalysisSchema, successOf } from '../domain/agent/call-analysis.js';
import type { ModelEndpoint } from '../domain/agent/model-endpoints.js';
import { simulatedAnalysis } from '../domain/agent/simulated-analysis.js';
import { completeChat } from '../platform/openai-protocol.js';
import { spansOfEnded } from '../db/queries/calls/traced.js';
import { recordLater } from '../platform/tracing.js';
import type { ActivityDeps } from './deps.js';
import { fitsSchema } from './fits-schema.js';
import { countAnswer, isFollowed, modelAfterCall, refusalOf } from './model-after-call.js';

/** How long a model may take. */
const answerWithinMs = 60_000;

// Only a config that was validated is ever stored.
const StoredSettings = z.object({
  model: z.object({ model: z.string() }).optional(),
  instruction: z.string().optional(),
  schema: z.custom<AnalysisSchema>(),
  success: z.string().optional(),
});

/** What the workflow that analyzes a call can cause. What was said, and keys, stay between Postgres and the model. */
export const analysisActivities = (deps: ActivityDeps) => {
  const { db } = deps.database;

  /** Asks until an answer fits, three times at most; null: none does. */
  async function ask(
    call: ConversationRef & { readonly attempt: number },
    { slug, endpoint }: { readonly slug: string; readonly endpoint: ModelEndpoint },
    { schema, instruction, transcript }: Asked,
  ): Promise<Analysis | null> {
    const messages = analysisMessages(schema, instruction, transcript);
    for (let question = 1; question <= mostAnalysisQuestions; question++) {
      Context.current().heartbeat();
      const { text, tokens } = await completeChat({ ...endpoint, messages, timeoutMs: answerWithinMs });
      await countAnswer(db, call, 'analysis', slug, tokens);
      const answer = objectOfAnswer(text);
      const checked = answer === null ? ['it is not a JSON object'] : await fitsSchema(schema, answer);
      if (!isProblems(checked)) return checked;
      messages.push(...correctionMessages(text, checked));
    }
    return null;
  }

  return {
    /**
     * Finds out what a conversation came to, and stores it.
     *
     * @returns why it is not known, or null if it is, or if another conversation has followed
     * @throws ApplicationFailure if asking again later may help
     */
    async makeAnalysis({ accountId, callId, attempt }: ConversationRef): Promise<AnalysisError | null> {
      const call = await callToAskAbout(db, accountId, callId, askedFor.analysis);
      if (call?.isAnswered === true || isFollowed(attempt, call)) return null;
      const conversation = { accountId, callId, attempt: attempt ?? call?.attempt ?? 1 };
      const transcript = z.array(z.unknown()).min(1).safeParse(call?.transcript);
      if (call === null || !transcript.success) return 'no_transcript';
      const { schema, model, instruction, success } = StoredSettings.parse(call.settings);
      const configured = { accountId, ...call, keyPath: askedFor.analysis.keyPath, model: model?.model };
      const { slug, endpoint } = modelAfterCall(deps, configured);
      const keep = (analysis: Analysis): Promise<void> =>
        storeAnalysis(db, conversation, analysis, successOf(analysis, success));
      if (typeof endpoint === 'string') {
        if (!call.simulated) return endpoint;
        await keep(simulatedAnalysis(schema, transcript.data));
        return null;
      }
      try {
        const asked = { schema, instruction, transcript: transcript.data };
        const analysis = await ask(conversation, { slug, endpoint }, asked);
        if (analysis === null) return 'invalid_answer';
        await keep(analysis);
        return null;
      } catch (error) {
        return refusalOf(error);
      }
    },

    async settleAnalysis({
      problem,
      ...conversation
    }: ConversationRef & { readonly problem: AnalysisError | null }): Promise<void> {
      const awaited = await settleAnalysis(db, conversation, problem);
      deps.kickOutbox();
      const ids = awaited ? [conversation.callId] : [];
      recordLater(deps, ids.length, () => spansOfEnded(db, [], ids));
    },
  };
};

interface Asked {
  readonly schema: AnalysisSchema;
  readonly instruction: string | undefined;
  readonly transcript: readonly unknown[];
}

const isProblems = (checked: Analysis | readonly string[]): checked is readonly string[] => Array.isArray(checked);

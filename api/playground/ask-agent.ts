import { conflict, unavailable } from '../../domain/errors.js';
import { slugOf } from '../../domain/session-plan/models.js';
import type { LanguagePlan, ModelChoice } from '../../domain/session-plan/types.js';
import type { AgentToTry } from '../../db/queries/agents/playground.js';
import { completeChat, NoAnswer, type ChatQuestion } from '../../platform/openai-protocol.js';
import { AgentParams } from '../agents/schema.js';
import { type AppDeps, operation } from '../operation.js';
import { endpointOf, planAgent } from './agent.js';
import { AgentAnswer, AskAgent } from './schema.js';

/** All of an agent's models together; who writes waits no longer. */
const answerWithinMs = 30_000;
/** Of an answer, what is kept: the next question brings it back. */
const longestAnswer = 4_000;

const inWriting =
  'This conversation is a trial in writing, in a browser. None of your functions can be used in it: when you would ' +
  'use one, say in a few words what you would do.';

type Messages = ChatQuestion['messages'];

/**
 * Asks the models of an agent in turn, as a call does.
 *
 * @throws Failure `conflict` if none can be asked or all refuse, `unavailable` if trying again may help
 */
async function firstAnswer(
  deps: AppDeps,
  {
    accountId,
    agent,
    models,
  }: {
    readonly accountId: string;
    readonly agent: AgentToTry;
    readonly models: readonly ModelChoice[];
  },
  messages: Messages,
): Promise<{ readonly text: string; readonly model: string }> {
  const deadline = performance.now() + answerWithinMs;
  const problems: string[] = [];
  let isTransient = false;
  for (const choice of models) {
    const model = slugOf(choice);
    const endpoint = endpointOf(deps, accountId, agent, choice);
    if (typeof endpoint === 'string') {
      problems.push(endpoint);
      continue;
    }
    const timeoutMs = Math.floor(deadline - performance.now());
    if (timeoutMs < 1) break;
    try {
      const { text } = await completeChat({ ...endpoint, messages, timeoutMs });
      if (text !== '') return { text: text.slice(0, longestAnswer), model };
      problems.push(`${model} answered nothing.`);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      isTransient ||= error.transient;
      const isKey = error.statusCode === 401 || error.statusCode === 403;
      problems.push(isKey ? `${model} does not accept its key.` : `${model} gave no answer: ${error.message}.`);
    }
  }
  throw isTransient ? unavailable(problems.join(' '), 5) : conflict(problems.join(' '));
}

const withHistory = ({ instructions }: LanguagePlan, lines: readonly { speaker: string; text: string }[]): Messages => [
  { role: 'system', content: `${instructions}\n\n${inWriting}` },
  ...lines.map(({ speaker, text }) => ({
    role: speaker === 'agent' ? ('assistant' as const) : ('user' as const),
    content: text,
  })),
];

/** POST /v1/agents/{agentId}/playground-messages */
export const askAgent = operation({
  name: 'playground.ask',
  method: 'POST',
  url: '/v1/agents/:agentId/playground-messages',
  family: 'agents',
  tag: 'Playground',
  playground: true,
  perMinute: 30,
  // A conversation as long as it may be, in letters of three bytes.
  bodyLimit: 1_500_000,
  schema: {
    summary: 'Write to an agent',
    description:
      'Answers a written conversation as the agent would: with the prompt, greeting, language and language models ' +
      'of its live version, or of its latest if none is live. Nothing is stored; each request brings the whole ' +
      'conversation. Without messages the agent opens as in a call, with the disclosure of the account’s guardrails ' +
      'and its greeting; no model is asked.\n\n' +
      'Tools and knowledge bases are not used here, and the language stays the same. If a version has only ' +
      'speech-to-speech models, the service’s default language model answers. It takes at most 30 seconds, and an ' +
      'account may ask 30 times a minute. 409: no model can be asked, because a key is missing or was refused. 503: ' +
      'no model answered.',
    params: AgentParams,
    body: AskAgent,
    response: { 200: AgentAnswer },
    errors: [409],
  },

  async handler({ params: { agentId }, body: { messages, metadata }, caller: { accountId } }, deps) {
    const { agent, plan, spoken, models } = await planAgent(deps, { accountId, agentId }, metadata);
    const about = { language: plan.language, missing: [...plan.missing] };
    if (messages.length === 0) {
      const { disclosure } = plan;
      const opening = { text: spoken.greeting?.text ?? '', ...(disclosure === null ? {} : { disclosure }) };
      return { status: 200, body: { ...opening, ...about } };
    }
    const answer = await firstAnswer(deps, { accountId, agent, models }, withHistory(spoken, messages));
    return { status: 200, body: { ...answer, ...about } };
  },
});

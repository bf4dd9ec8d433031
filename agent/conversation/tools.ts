import { llm, voice } from '@livekit/agents';
import { searchKnowledgeBases } from '../../db/queries/knowledge/search.js';
import { builtInNames } from '../../domain/session-plan/tool-names.js';
import type { LanguagePlan, SessionPlan } from '../../domain/session-plan/types.js';
import type { AgentDeps } from './deps.js';
import { callHttpTool, type HttpTool } from './http-tool.js';
import type { CallControl } from './call-control.js';
import { clockOfCallee, promiseCallback } from './callback.js';
import { optOut } from './opt-out.js';
import { transferCall } from './transfer.js';
import type { EndReason } from '../../domain/call/end-reasons.js';

/** The conversation as its functions see it. */
export interface ToolContext extends AgentDeps {
  readonly accountId: string;
  /** The leg of the conversation; null in the playground, which has no transfer and no opt-out. */
  readonly leg: {
    readonly callId: string;
    readonly attempt: number;
    readonly number: string;
    readonly zone: string | null;
  } | null;
  readonly plan: SessionPlan;
  readonly httpTools: readonly HttpTool[];
  readonly call: CallControl;
  /** The agent of another language, which takes the conversation over. */
  agentFor(language: LanguagePlan): voice.Agent;
  pressKeys(keys: string): Promise<void>;
  /** Hands the call over by speaking with the target first; null: cold, by the carrier. */
  readonly warmTransfer: ((to: string) => Promise<string | null>) | null;
}

const passagesAtOnce = 5;

const noArguments = { type: 'object', properties: {}, additionalProperties: false } as const;

const oneText = (name: string, description: string, choices?: readonly string[]) => ({
  type: 'object' as const,
  properties: {
    [name]: { type: 'string' as const, description, ...(choices === undefined ? {} : { enum: [...choices] }) },
  },
  required: [name],
  additionalProperties: false,
});

type Arguments = Readonly<Record<string, unknown>>;

interface FunctionOfModel {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Record<string, unknown>;
  readonly execute: (args: Arguments) => Promise<unknown>;
}

/** A JSON Schema tells the library's types nothing about arguments: each function reads its own. */
const forModel = ({ name, description, parameters, execute }: FunctionOfModel): llm.FunctionTool =>
  llm.tool({ name, description, parameters, execute: (args: Arguments) => execute(args) }) as llm.FunctionTool;

const textOf = (args: Arguments, name: string): string => {
  const value = args[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** The functions that a model may call in one language of a conversation: the account's own tools, then the built-in ones. */
export function toolsFor(language: LanguagePlan, context: ToolContext): llm.FunctionTool[] {
  const { plan, call, accountId, leg, logger } = context;
  const { db } = context.database;
  const names = builtInNames(context.httpTools.map(({ name }) => name));
  const { endCall } = language;
  const others = plan.languages.filter((each) => each !== language);

  /** Says the last message, then hangs up. */
  const part = async (sayGoodbye: () => Promise<unknown>, reason: EndReason): Promise<never> => {
    await sayGoodbye();
    await call.hangUp(reason);
    throw new voice.StopResponse();
  };

  const tools: llm.FunctionTool[] = context.httpTools.map((tool) =>
    forModel({
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters,
      execute: (args) => callHttpTool(tool, args, context.fetchOutside, call.over),
    }),
  );

  tools.push(
    forModel({
      name: names.opt_out,
      description:
        'Puts the callee on the do-not-call list and ends the call. Call it when the callee asks not to be called ' +
        'again, to be removed from the list, or to be left alone.',
      parameters: noArguments,
      execute: async () => {
        if (leg !== null) await optOut(db, { accountId, ...leg }, logger);
        const sayGoodbye = () =>
          call.sayInOwnWords(
            'Tell the callee in one sentence that their number is on the do-not-call list and will not be called again, ' +
              'apologise for the disturbance and say goodbye.',
          );
        return part(sayGoodbye, 'opted_out');
      },
    }),
  );

  if (endCall !== null) {
    const { message, when } = endCall;
    tools.push(
      forModel({
        name: names.end_call,
        description:
          'Ends the call. Say nothing before it: the goodbye is spoken for you. ' +
          (when === null ? 'Call it when the callee is done.' : `Call it when: ${when}`),
        parameters: noArguments,
        execute: () =>
          part(
            () => (message === null ? call.sayInOwnWords('Say goodbye in a few words.') : call.say(message, false)),
            'agent_hung_up',
          ),
      }),
    );
  }

  if (others.length > 0) {
    const choices = others.map(({ name }) => name);
    tools.push(
      forModel({
        name: names.switch_language,
        description: 'Goes on in another language. Call it when the callee asks for one of these or speaks it.',
        parameters: oneText('language', 'Language to go on in', choices),
        execute: async (args) => {
          const wanted = others.find(({ name }) => name === textOf(args, 'language').toLowerCase());
          if (wanted === undefined) return `There is no such language here. Choose one of: ${choices.join(', ')}.`;
          // Without words for the model: the one that takes over speaks, not the one that leaves.
          return llm.handoff({ agent: context.agentFor(wanted) });
        },
      }),
    );
  }

  const { transferTo } = plan;
  if (transferTo !== null && leg !== null) {
    const { callId, attempt } = leg;
    tools.push(
      forModel({
        name: names.transfer_to_person,
        description: 'Hands the callee over to a person. Call it when they ask for one, or when you cannot help.',
        parameters: noArguments,
        execute: async () => {
          if (context.warmTransfer !== null) {
            const why = await context.warmTransfer(transferTo);
            if (why === null) throw new voice.StopResponse();
            return why;
          }
          const announce = () =>
            call.sayInOwnWords('Tell the callee in one short sentence that you are putting them through.');
          const problem = await transferCall(db, { accountId, callId, attempt, to: transferTo }, announce, call.over);
          if (problem === null) throw new voice.StopResponse();
          return problem;
        },
      }),
    );
  }

  const { callbacks } = plan;
  if (callbacks !== null && leg !== null) {
    const { callId, number, zone } = leg;
    tools.push(
      forModel({
        name: names.schedule_callback,
        description:
          'Promises the callee another call at a time that they name. Call it when they ask to be called at another time. ' +
          clockOfCallee(number, zone),
        parameters: oneText('time', 'By the callee’s clock: YYYY-MM-DDTHH:MM'),
        execute: (args) =>
          promiseCallback(db, { accountId, callId, number }, textOf(args, 'time'), callbacks, new Date()),
      }),
    );
  }

  if (plan.knowledgeBaseIds.length > 0) {
    tools.push(
      forModel({
        name: names.search_knowledge,
        description: 'Looks something up in the documents that answers are given from.',
        parameters: oneText('query', 'What to look for, in the words of the documents'),
        execute: async (args) => {
          const query = textOf(args, 'query');
          if (query === '') return 'Say what to look for.';
          const found = await searchKnowledgeBases(db, accountId, plan.knowledgeBaseIds, query, passagesAtOnce);
          return found.length === 0 ? 'Nothing was found.' : found.map(({ text }) => text).join('\n\n---\n\n');
        },
      }),
    );
  }

  if (plan.dtmf) {
    tools.push(
      forModel({
        name: names.press_keys,
        description: 'Presses keys of the telephone, for a menu that asks for them.',
        parameters: oneText('keys', 'Digits, * and #, in order'),
        execute: async (args) => {
          const keys = textOf(args, 'keys').replace(/\s/g, '');
          if (!/^[0-9*#]{1,32}$/.test(keys)) return 'Only digits, * and # can be pressed, at most 32.';
          await context.pressKeys(keys);
          return `Pressed ${keys}.`;
        },
      }),
    );
  }
  return tools;
}

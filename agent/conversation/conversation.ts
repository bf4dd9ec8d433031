import { llm, voice } from '@livekit/agents';
import type { JobContext } from '@livekit/agents';
import { storeAnsweredBy } from '../../db/queries/calls/conversation.js';
import { slugOf } from '../../domain/session-plan/models.js';
import type { LanguagePlan } from '../../domain/session-plan/types.js';
import { watchCallee } from './callee.js';
import { carrierNote } from './carrier-headers.js';
import type { AgentDeps } from './deps.js';
import { endLeg } from './leg.js';
import { listenForKeys, pressKeys } from './keys.js';
import { createLine } from '../models/line.js';
import type { LoadedConversation } from './load-call.js';
import { prepareSpeech, type PreparedSpeech } from '../models/prepared-speech.js';
import { keepRecord } from './record.js';
import { createRecovery } from './recovery.js';
import { ownRegion } from '../worker/region.js';
import { report } from './reports.js';
import { isolateTracks } from './isolate-tracks.js';
import { buildAgent, buildSession, buildVad } from './session.js';
import { createSessionHolder } from './session-holder.js';
import { toolsFor } from './tools.js';
import { listenForVoicemail } from './voicemail.js';
import { watchSilence } from './silence.js';

/** What a model reads that takes a conversation over from one that failed or from an agent whose process died. */
const goOn = 'The line was interrupted for a moment. Apologise in a few words and go on where the conversation was.';

const askAgain =
  'The line was bad and you did not understand the callee. Say so in a few words and ask them to say it again.';

/** Of seconds, as LiveKit Agents keeps instants with what was said. */
const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000;

const isBusy = (state: voice.AgentState): boolean => state !== 'listening' && state !== 'idle';

/**
 * Has the conversation of one call, from the ringing of the phone until the callee has left. The room is connected.
 *
 * Order: the models are built and the first words synthesized while it rings; at the answer come disclosure, greeting and,
 * beside them, the question whether a machine has answered. What is said, used and measured is stored as it grows. The end comes from the
 * callee, from whoever hangs up elsewhere, or from `line.hangUp`, and is the same for all of them: the callee has left.
 */
export async function converse(context: JobContext, loaded: LoadedConversation, deps: AgentDeps): Promise<void> {
  const { accountId, leg, plan, httpTools, identity } = loaded;
  const { database, logger } = deps;
  const { room } = context;
  const callee = watchCallee(room, identity);
  if (leg !== null) isolateTracks(room, identity, ownRegion(deps.env), callee.over);
  const vad = buildVad(plan.vad);
  const record = keepRecord({ ...{ db: database.db, leg, run: context.job.id, logger }, said: loaded.said });
  const { transcript, timings, usage } = record;
  const access = { ...loaded.access, watch: usage.watch };
  const isResumed = loaded.said.length > 0;

  let language = languageNamed(plan.languages, plan.language);
  let realtimeIndex = 0;
  let heard = false;
  const recovery = createRecovery({
    tryAgain: askIfStillThere,
    askAgain: () => void stage.session()?.generateReply({ instructions: askAgain, toolChoice: 'none' }),
    giveUp: (speechless) => void giveUp(speechless),
    logger,
  });
  /** What only the answer has told. */
  let note: string | null = null;

  const stage = createSessionHolder({
    ...{ room, identity, noiseCancellation: plan.noiseCancellation, over: callee.over, logger },
    create() {
      const agent = agentOf(language, () => undefined);
      const session = buildSession(vad, plan.interruption);
      listen(session);
      return { session, agent };
    },
    nextModel,
    tookOver: askIfStillThere,
    gaveUp: () => void giveUp(true),
  });

  const line = createLine({
    talk() {
      const session = stage.session();
      return session === null ? null : { session, hasVoice: language.speech.kind === 'pipeline' };
    },
    over: callee.over,
    end: (reason) => endLeg({ leg, room: room.name ?? '', identity, deps }, reason),
    logger,
  });
  const silence = watchSilence(line);

  const chatSoFar = (): llm.ChatContext => {
    const session = stage.session();
    if (session !== null) return session.history.copy({ excludeInstructions: true, excludeFunctionCall: true });
    const chat = llm.ChatContext.empty();
    for (const { speaker, text } of loaded.said) {
      chat.addMessage({ role: speaker === 'agent' ? 'assistant' : 'user', content: text });
    }
    return chat;
  };

  const withNote = (chat: llm.ChatContext): llm.ChatContext => {
    if (note !== null) chat.addMessage({ role: 'system', content: note });
    return chat;
  };

  function agentOf(wanted: LanguagePlan, entered: () => void): voice.Agent {
    const tools = toolsFor(wanted, {
      ...deps,
      ...{ accountId, leg, plan, httpTools, line },
      agentFor: (other) =>
        agentOf(other, () => {
          language = other;
          realtimeIndex = 0;
          silence.begin(language.wakeUp);
          stage.session()?.generateReply({ instructions: `Go on in ${other.name}, in one or two sentences.` });
        }),
      pressKeys: (keys) => pressKeys(room, keys),
    });
    const index = wanted === language ? realtimeIndex : 0;
    return buildAgent({
      language: wanted,
      plan,
      access,
      vad,
      tools,
      chatCtx: withNote(chatSoFar()),
      realtimeIndex: index,
      entered,
    });
  }

  function listen(to: voice.AgentSession): void {
    const events = voice.AgentSessionEventTypes;
    to.on(events.ConversationItemAdded, ({ item }) => {
      if (item.type !== 'message' || (item.role !== 'assistant' && item.role !== 'user')) return;
      if (item.role === 'user') {
        recovery.understood();
        timings.turnTaken(milliseconds(item.metrics.stoppedSpeakingAt));
      }
      transcript.add(item.role === 'assistant' ? 'agent' : 'callee', item.textContent ?? '', new Date(item.createdAt));
    });
    to.on(events.SpeechCreated, ({ source }) => {
      if (source === 'say') timings.ownAccord();
    });
    to.on(events.AgentStateChanged, ({ newState }) => {
      if (newState === 'speaking') {
        heard = true;
        recovery.spoke();
        timings.spoke(Date.now());
      }
      silence.agent(isBusy(newState));
    });
    to.on(events.UserStateChanged, ({ newState, oldState }) => {
      silence.callee(newState === 'speaking');
      if (oldState !== 'speaking') return;
      timings.calleeStopped(Date.now());
      // It answers by itself, and its words of what it has heard come later.
      if (language.speech.kind === 'realtime') timings.turnTaken();
    });
    to.on(events.MetricsCollected, ({ metrics }) => {
      const { speech } = language;
      const model = speech.kind === 'realtime' ? speech.models[realtimeIndex] : undefined;
      if (metrics.type === 'realtime_model_metrics' && model !== undefined) usage.count(metrics, slugOf(model));
    });
    recovery.watch(to);
  }

  /** Only realtime models have their fallbacks here: of others the models themselves have. */
  function nextModel(): boolean {
    const models = language.speech.kind === 'realtime' ? language.speech.models.length : 0;
    if (realtimeIndex + 1 >= models) return false;
    realtimeIndex += 1;
    logger.warn({ realtimeIndex }, 'a realtime model failed, the next takes over');
    return true;
  }

  /** Ends a call on which nothing goes any more: in silence, or with the goodbye of the config. */
  async function giveUp(speechless: boolean): Promise<void> {
    const goodbye = language.endCall?.message ?? null;
    report({ kind: 'failed' });
    if (!speechless && goodbye !== null) await line.say(goodbye, false);
    await line.hangUp('agent_failed');
  }

  const firstWords = isResumed
    ? []
    : [
        ...(plan.disclosure === null ? [] : [{ text: plan.disclosure, interruptible: false }]),
        ...(language.greeting === null ? [] : [language.greeting]),
      ];

  async function greet(prepared: readonly PreparedSpeech[]): Promise<void> {
    for (const [index, { text, interruptible }] of firstWords.entries()) {
      const audio = (await prepared[index]) ?? null;
      if (callee.over.aborted) return;
      if (audio === null) void line.say(text, interruptible);
      else stage.session()?.say(text, { audio, allowInterruptions: interruptible });
    }
  }

  /** Breaks a silence that the agent owes: with its first words where they were not heard, else where it was. */
  function askIfStillThere(): void {
    if (heard || firstWords.length === 0) stage.session()?.generateReply({ instructions: goOn });
    else void greet([]);
  }

  try {
    await stage.open();
    const tts = stage.session()?.currentAgent.tts;
    const prepared = tts === undefined ? [] : firstWords.map(({ text }) => prepareSpeech(tts, text, logger));
    if (plan.dtmf) {
      listenForKeys(room, identity, (keys) => {
        stage.session()?.generateReply({ userInput: `Keys pressed: ${keys}` });
      });
    }

    if (await callee.answered) {
      if (!isResumed) timings.answered(Date.now());
      await stage.ready();
      stage.answered();
      // Those of a caller's INVITE are the call's metadata.
      note = loaded.isCaller ? null : carrierNote(room, identity);
      const agent = stage.session()?.currentAgent;
      if (note !== null) await agent?.updateChatCtx(withNote(agent.chatCtx.copy()));
      recovery.begin();
      silence.begin(language.wakeUp);
      const opened = stage.session();
      if (plan.voicemail !== null && leg !== null && !isResumed && opened !== null) {
        void listenForVoicemail({
          ...{ session: opened, plan: plan.voicemail, identity, access, line, logger },
          noted: (answeredBy) => storeAnsweredBy(database.db, leg, answeredBy),
        });
      }
      if (isResumed) askIfStillThere();
      else await greet(prepared);
      // Where nothing was said, nobody is about to speak.
      if (firstWords.length === 0 && !isResumed) silence.agent(false);
    }
    await ended(callee.over);
    silence.stop();
    await stage.close();
  } finally {
    await record.close();
  }
}

function languageNamed(languages: readonly LanguagePlan[], name: string): LanguagePlan {
  const found = languages.find((language) => language.name === name) ?? languages[0];
  if (found === undefined) throw new Error('the version has no language');
  return found;
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

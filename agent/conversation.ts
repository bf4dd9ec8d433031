import { llm, voice } from '@livekit/agents';
import type { JobContext } from '@livekit/agents';
import { storeAnsweredBy, storeTranscript } from '../db/queries/agent-calls.js';
import type { LanguagePlan } from '../domain/session-plan/types.js';
import type { TranscriptLine } from '../telephony/provider.js';
import { watchCallee } from './callee.js';
import type { AgentDeps } from './deps.js';
import { endLeg } from './leg.js';
import { listenForKeys, pressKeys } from './keys.js';
import { createLine } from './line.js';
import type { LoadedConversation } from './load-call.js';
import { createNoiseCanceller, noiseFreeSampleRate } from './noise.js';
import { prepareSpeech, type PreparedSpeech } from './prepared-speech.js';
import { buildAgent, buildSession, buildVad } from './session.js';
import { toolsFor } from './tools.js';
import { createTranscript } from './transcript.js';
import { listenForVoicemail } from './voicemail.js';
import { watchSilence } from './silence.js';

/** What a model reads that takes a conversation over from one that failed or from an agent whose process died. */
const goOn = 'The line was interrupted for a moment. Apologise in a few words and go on where the conversation was.';

const failed: string = voice.CloseReason.ERROR;

const isBusy = (state: voice.AgentState): boolean => state !== 'listening' && state !== 'idle';

/**
 * Has the conversation of one call, from the ringing of the phone until the callee has left. The room is connected.
 *
 * Order: the models are built and the first words synthesized while it rings; at the answer come disclosure, greeting and,
 * beside them, the question whether a machine has answered. What is said is stored line by line. The end comes from the
 * callee, from whoever hangs up elsewhere, or from `line.hangUp`, and is the same for all of them: the callee has left.
 */
export async function converse(context: JobContext, loaded: LoadedConversation, deps: AgentDeps): Promise<void> {
  const { accountId, leg, plan, access, httpTools, identity } = loaded;
  const { database, logger } = deps;
  const { room } = context;
  const callee = watchCallee(room, identity);
  const vad = buildVad(plan.vad);
  const store = (lines: readonly TranscriptLine[]): Promise<void> =>
    leg === null ? Promise.resolve() : storeTranscript(database.db, leg, lines);
  const transcript = createTranscript(loaded.said, store, logger);
  const isResumed = loaded.said.length > 0;

  let language = languageNamed(plan.languages, plan.language);
  let realtimeIndex = 0;
  let session: voice.AgentSession | null = null;
  let answeredMs: number | null = null;

  // Read where it is needed: it changes while this function waits.
  const current = (): voice.AgentSession | null => session;

  const line = createLine({
    talk: () => (session === null ? null : { session, hasVoice: language.speech.kind === 'pipeline' }),
    over: callee.over,
    end: (reason) => endLeg({ leg, room: room.name ?? '', identity, deps }, reason),
    logger,
  });
  const silence = watchSilence(line);

  const chatSoFar = (): llm.ChatContext => {
    if (session !== null) return session.history.copy({ excludeInstructions: true, excludeFunctionCall: true });
    const chat = llm.ChatContext.empty();
    for (const { speaker, text } of loaded.said) {
      chat.addMessage({ role: speaker === 'agent' ? 'assistant' : 'user', content: text });
    }
    return chat;
  };

  function agentOf(wanted: LanguagePlan, entered: () => void): voice.Agent {
    const tools = toolsFor(wanted, {
      ...deps,
      ...{ accountId, leg, plan, httpTools, line },
      agentFor: (other) =>
        agentOf(other, () => {
          language = other;
          silence.begin(language.wakeUp);
          session?.generateReply({ instructions: `Go on in ${other.name}, in one or two sentences.` });
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
      chatCtx: chatSoFar(),
      realtimeIndex: index,
      entered,
    });
  }

  function listen(to: voice.AgentSession): void {
    const events = voice.AgentSessionEventTypes;
    to.on(events.ConversationItemAdded, ({ item }) => {
      if (item.type !== 'message' || (item.role !== 'assistant' && item.role !== 'user')) return;
      transcript.add(item.role === 'assistant' ? 'agent' : 'callee', item.textContent ?? '', new Date(item.createdAt));
    });
    to.on(events.AgentStateChanged, ({ newState }) => {
      if (newState === 'speaking' && answeredMs !== null) {
        logger.info({ answeredToSpeechMs: Date.now() - answeredMs }, 'the agent speaks');
        answeredMs = null;
      }
      silence.agent(isBusy(newState));
    });
    to.on(events.UserStateChanged, ({ newState }) => silence.callee(newState === 'speaking'));
    to.on(events.Close, ({ reason }) => {
      if (to === session && reason === failed && !callee.over.aborted) void replaceModel();
    });
  }

  async function open(): Promise<voice.AgentSession> {
    const opened = buildSession(vad);
    const agent = agentOf(language, () => undefined);
    session = opened;
    listen(opened);
    await opened.start({
      agent,
      room,
      record: false,
      inputOptions: {
        participantIdentity: identity,
        // Who has left, and what follows from it, is decided here for all reasons alike.
        closeOnDisconnect: false,
        ...(plan.noiseCancellation
          ? { audioSampleRate: noiseFreeSampleRate, noiseCancellation: await createNoiseCanceller() }
          : {}),
      },
    });
    return opened;
  }

  /** A session ends when its models have failed for good: a realtime model has its fallbacks here, others have had theirs. */
  async function replaceModel(): Promise<void> {
    const models = language.speech.kind === 'realtime' ? language.speech.models.length : 0;
    try {
      if (realtimeIndex + 1 < models) {
        realtimeIndex += 1;
        logger.warn({ realtimeIndex }, 'a realtime model failed, the next takes over');
        const next = await open();
        next.generateReply({ instructions: goOn });
        return;
      }
    } catch (error) {
      logger.error({ err: error }, 'no model takes over');
    }
    await line.hangUp('agent_failed');
  }

  const firstWords = isResumed
    ? []
    : [
        ...(plan.disclosure === null ? [] : [{ text: plan.disclosure, interruptible: false }]),
        ...(language.greeting === null ? [] : [language.greeting]),
      ];

  async function greet(opened: voice.AgentSession, prepared: readonly PreparedSpeech[]): Promise<void> {
    if (isResumed) {
      opened.generateReply({ instructions: goOn });
      return;
    }
    for (const [index, { text, interruptible }] of firstWords.entries()) {
      const audio = (await prepared[index]) ?? null;
      if (callee.over.aborted) return;
      if (audio === null) void line.say(text, interruptible);
      else opened.say(text, { audio, allowInterruptions: interruptible });
    }
  }

  const opened = await open();
  opened.input.setAudioEnabled(false);
  const { tts } = opened.currentAgent;
  const prepared = tts === undefined ? [] : firstWords.map(({ text }) => prepareSpeech(tts, text, logger));
  if (plan.dtmf) {
    listenForKeys(room, identity, (keys) => {
      if (session !== null) session.generateReply({ userInput: `Keys pressed: ${keys}` });
    });
  }

  if (await callee.answered) {
    answeredMs = Date.now();
    opened.input.setAudioEnabled(true);
    silence.begin(language.wakeUp);
    if (plan.voicemail !== null && leg !== null && !isResumed) {
      void listenForVoicemail({
        ...{ session: opened, plan: plan.voicemail, identity, access, line, logger },
        noted: (answeredBy) => storeAnsweredBy(database.db, leg, answeredBy),
      });
    }
    await greet(opened, prepared);
    // Where nothing was said, nobody is about to speak.
    if (firstWords.length === 0 && !isResumed) silence.agent(false);
  }
  await ended(callee.over);
  silence.stop();
  await current()
    ?.close()
    .catch((error: unknown) => logger.warn({ err: error }, 'the session did not close'));
  await transcript.flush();
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

import type { JobContext, llm, voice } from '@livekit/agents';
import { storeAnsweredBy } from '../../db/queries/calls/conversation.js';
import type { LanguagePlan } from '../../domain/session-plan/types.js';
import { aborted } from './aborted.js';
import { createCallControl } from './call-control.js';
import { prepareWords, type PreparedSpeech } from '../models/prepared-speech.js';
import { ownRegion } from '../worker/region.js';
import { watchCallee } from './callee.js';
import { carrierNote } from './carrier-headers.js';
import {
  afterFailure,
  beginConversation,
  type ConversationEvent,
  firstWordsOf,
  nextConversation,
} from './conversation-state.js';
import type { AgentDeps } from './deps.js';
import { chatOf, linesOf } from './chat.js';
import { askAgain, cameBack, goOn } from './instructions.js';
import { isolateTracks } from './isolate-tracks.js';
import { listenForKeys, pressKeys } from './keys.js';
import { endLeg } from './leg.js';
import type { LoadedConversation } from './load-call.js';
import { keepRecord } from './record.js';
import { watchEndOfSpeech } from './end-of-speech.js';
import { createRecovery } from './recovery.js';
import { whisperInstruction } from '../../domain/agent/whisper.js';
import { report } from './reports.js';
import { listenToSession } from './session-events.js';
import { createSessionHolder } from './session-holder.js';
import { buildAgent, buildSession, buildVad } from './session.js';
import { watchSilence } from './silence.js';
import { listenForWhispers } from './whispers.js';
import { toolsFor } from './tools.js';
import { orderWarmTransfer, refused, unlessRefused } from './transfer.js';
import { createHandOver, listenForHold } from './warm-transfer.js';
import { listenForVoicemail } from './voicemail.js';

/**
 * Holds the conversation of one call, from the ringing of the phone until the callee has left. The room is connected.
 *
 * ```
 * preparing ── answered ──▶ greeting ──▶ talking ── the callee has left ──▶ over
 *     └──────────────────── the callee has left ─────────────────────────▶ over
 * ```
 *
 * - preparing, while the phone rings: the models are built and the first words synthesized.
 * - greeting: disclosure, then greeting. Beside them begins the check whether a machine has answered. An agent that takes over
 *   from one whose process died skips this, and goes on where that one was.
 * - talking: models may fail and be replaced (session-holder.ts, recovery.ts), languages change (tools.ts), silence is broken
 *   (silence.ts). conversation-state.ts has what is remembered of it.
 * - over: the call has one end, the callee has left: it hung up, was hung up elsewhere, or by `call.hangUp`.
 *
 * What is said, used and measured is stored as it grows.
 *
 * @param answeredAt see answer.ts
 */
export async function converse(
  context: JobContext,
  loaded: LoadedConversation,
  answeredAt: Promise<Date | null>,
  deps: AgentDeps,
): Promise<void> {
  const { accountId, leg, plan, httpTools, identity } = loaded;
  const { database, logger } = deps;
  const { room } = context;
  const callee = watchCallee(room, identity);
  if (leg !== null) isolateTracks(room, identity, ownRegion(deps.env), callee.over);
  const vad = buildVad(plan.vad);
  const record = keepRecord({ db: database.db, leg, run: context.job.id, logger, said: loaded.said });
  watchEndOfSpeech(vad, (atMs) => record.timings.calleeStopped(atMs));
  const access = { ...loaded.access, watch: record.usage.watch };
  const isResumed = loaded.said.length > 0;

  let state = beginConversation(plan);
  const firstWords = isResumed ? [] : firstWordsOf(plan, state.language);
  /** For the model, once the call is answered: the carrier's headers. */
  let note: string | null = null;
  /** What supervisors have said so far, as instructions. */
  const whispers: string[] = [];

  const happened = (event: ConversationEvent): void => {
    state = nextConversation(state, event);
  };

  const recovery = createRecovery({
    tryAgain: breakSilence,
    askAgain: () => void holder.session()?.generateReply({ instructions: askAgain, toolChoice: 'none' }),
    giveUp: (speechless) => void giveUp(speechless),
    logger,
  });

  const holder = createSessionHolder({
    room,
    identity,
    noiseCancellation: plan.noiseCancellation,
    sounded: (atMs) => record.timings.sounded(atMs),
    over: callee.over,
    logger,
    create() {
      const agent = agentOf(state.language, () => undefined);
      const session = buildSession(vad, plan.interruption);
      listenToSession(session, {
        record,
        recovery,
        silence,
        state: () => state,
        agentSpoke: () => happened({ type: 'agent_spoke' }),
      });
      return { session, agent };
    },
    nextModel() {
      const before = state;
      happened({ type: 'model_failed' });
      if (state === before) return false;
      logger.warn({ realtimeIndex: state.realtimeIndex }, 'a realtime model failed; the next one takes over');
      return true;
    },
    tookOver: breakSilence,
    gaveUp: () => void giveUp(true),
  });

  const call = createCallControl({
    talk() {
      const session = holder.session();
      return session === null ? null : { session, hasVoice: state.language.speech.kind === 'pipeline' };
    },
    over: callee.over,
    end: (reason) => endLeg({ leg, room: room.name ?? '', identity, deps }, reason),
    logger,
  });
  const silence = watchSilence(call);

  const handOver = createHandOver({
    ...{ db: database.db, leg, room, identity, plan, access, vad, call, logger },
    liveKit: ownRegion(deps.env),
    now: () => state,
    said: () => linesOf(chatSoFar()),
    hold(isHeld) {
      const session = holder.session();
      session?.input.setAudioEnabled(!isHeld);
      session?.output.setAudioEnabled(!isHeld);
      if (isHeld) silence.stop();
      else silence.begin(state.language.wakeUp);
    },
    async retire() {
      silence.stop();
      await holder.close();
    },
  });

  /** The model asks for it. @returns words for it if the agent is to go on */
  async function warmTransfer(to: string): Promise<string | null> {
    if (leg === null) return null;
    const { callId, attempt } = leg;
    const refusals: string[] = [];
    const why = await handOver.run(async () => {
      const refusal = await unlessRefused(orderWarmTransfer(database.db, { accountId, callId, attempt, to }));
      if (refusal !== null) refusals.push(refusal);
    });
    return refusals[0] ?? (why === null ? null : refused(why));
  }

  const chatSoFar = (): llm.ChatContext => {
    const session = holder.session();
    return session?.history.copy({ excludeInstructions: true, excludeFunctionCall: true }) ?? chatOf(loaded.said);
  };

  const withNote = (chat: llm.ChatContext): llm.ChatContext => {
    for (const content of [note, ...whispers]) if (content !== null) chat.addMessage({ role: 'system', content });
    return chat;
  };

  /** @param entered called when the agent takes the conversation over */
  function agentOf(language: LanguagePlan, entered: () => void): voice.Agent {
    const tools = toolsFor(language, {
      ...deps,
      accountId,
      leg,
      plan,
      httpTools,
      call,
      agentFor: (other) => agentOf(other, () => changeLanguage(other)),
      pressKeys: (keys) => pressKeys(room, keys),
      warmTransfer: plan.transferMode === 'warm' ? warmTransfer : null,
    });
    return buildAgent({
      language,
      plan,
      access,
      vad,
      tools,
      chatCtx: withNote(chatSoFar()),
      realtimeIndex: language === state.language ? state.realtimeIndex : 0,
      entered,
    });
  }

  function changeLanguage(language: LanguagePlan): void {
    happened({ type: 'language_changed', language });
    silence.begin(language.wakeUp);
    holder.session()?.generateReply({ instructions: `Go on in ${language.name}, in one or two sentences.` });
  }

  /** Ends a call that can go no further: in silence, or with the goodbye of the config. */
  async function giveUp(speechless: boolean): Promise<void> {
    const goodbye = state.language.endCall?.message ?? null;
    report({ kind: 'failed' });
    if (!speechless && goodbye !== null) await call.say(goodbye, false);
    await call.hangUp('agent_failed');
  }

  async function greet(prepared: readonly PreparedSpeech[]): Promise<void> {
    for (const [index, { text, interruptible }] of firstWords.entries()) {
      const audio = (await prepared[index]) ?? null;
      if (callee.over.aborted) return;
      if (audio === null) void call.say(text, interruptible);
      else holder.session()?.say(text, { audio, allowInterruptions: interruptible });
    }
  }

  function breakSilence(): void {
    if (handOver.isAway) return;
    if (afterFailure(state, firstWords) === 'go_on') holder.session()?.generateReply({ instructions: goOn });
    else void greet([]);
  }

  function checkForVoicemail(): void {
    const session = holder.session();
    if (plan.voicemail === null || leg === null || isResumed || session === null) return;
    void listenForVoicemail({
      session,
      plan: plan.voicemail,
      identity,
      access,
      call,
      logger,
      noted: (answeredBy) => storeAnsweredBy(database.db, leg, answeredBy),
    });
  }

  async function talk(prepared: readonly PreparedSpeech[]): Promise<void> {
    await holder.ready();
    holder.answered();
    // The headers of a caller's INVITE are in the call's metadata.
    if (await handOver.resume()) return;
    note = loaded.isCaller ? null : carrierNote(room, identity);
    const agent = holder.session()?.currentAgent;
    if (note !== null) await agent?.updateChatCtx(withNote(agent.chatCtx.copy()));
    recovery.begin();
    silence.begin(state.language.wakeUp);
    checkForVoicemail();
    if (isResumed) breakSilence();
    else await greet(prepared);
    // The agent waits for the callee to speak: the silence begins now.
    if (firstWords.length === 0 && !isResumed) silence.agent(false);
  }

  try {
    // The greeting is late for as long as the callee waits for it, whatever held this process up.
    const timed = answeredAt.then((at) => {
      if (at !== null) record.timings.answered(at.getTime());
    });
    if (firstWords.length > 0) record.timings.greets();
    await holder.open();
    const tts = holder.session()?.currentAgent.tts;
    const { speech } = state.language;
    const voices = speech.kind === 'pipeline' ? speech.tts : [];
    const prepared = tts === undefined ? [] : prepareWords(firstWords, { voice: tts, accountId, voices, logger });
    if (plan.dtmf) {
      listenForKeys(room, identity, (keys) => {
        if (!handOver.isAway) holder.session()?.generateReply({ userInput: `Keys pressed: ${keys}` });
      });
    }
    listenForWhispers(
      room,
      async ({ text, now }) => {
        const instructions = whisperInstruction(text);
        whispers.push(instructions);
        const session = holder.session();
        const agent = session?.currentAgent;
        if (agent === undefined) return;
        const chat = agent.chatCtx.copy();
        chat.addMessage({ role: 'system', content: instructions });
        await agent.updateChatCtx(chat);
        if (now && !handOver.isAway) session?.generateReply({ instructions });
      },
      logger,
    );
    listenForHold(room, () => {
      void handOver.run().then((why) => {
        if (why !== null) holder.session()?.generateReply({ instructions: cameBack(why), toolChoice: 'none' });
      });
    });
    if (await callee.answered) await talk(prepared);
    await aborted(callee.over);
    await timed;
    silence.stop();
    await holder.close();
  } finally {
    await record.close();
  }
}

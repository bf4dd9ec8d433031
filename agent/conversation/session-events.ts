import { voice } from '@livekit/agents';
import { slugOf } from '../../domain/session-plan/models.js';
import type { ConversationState } from './conversation-state.js';
import type { ConversationRecord } from './record.js';
import type { Recovery } from './recovery.js';
import type { Silence } from './silence.js';

/** Of seconds, as LiveKit Agents keeps instants with what was said. */
const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000;

const isBusy = (state: voice.AgentState): boolean => state !== 'listening' && state !== 'idle';

/**
 * Passes what happens in a session on: what was said to the transcript, when to the timings, what was used to the usage, and
 * all of it to those that watch for silence and failure.
 */
export function listenToSession(
  session: voice.AgentSession,
  deps: {
    readonly record: ConversationRecord;
    readonly recovery: Recovery;
    readonly silence: Silence;
    readonly state: () => ConversationState;
    readonly agentSpoke: () => void;
  },
): void {
  const { recovery, silence } = deps;
  const { transcript, timings, usage } = deps.record;
  const events = voice.AgentSessionEventTypes;
  session.on(events.ConversationItemAdded, ({ item }) => {
    if (item.type !== 'message' || (item.role !== 'assistant' && item.role !== 'user')) return;
    if (item.role === 'user') {
      recovery.understood();
      timings.turnTaken(milliseconds(item.metrics.stoppedSpeakingAt));
    }
    // Words that no voice could say, or that were broken off before their first sound.
    if (item.role === 'assistant' && item.metrics.startedSpeakingAt === undefined) return;
    transcript.add(item.role === 'assistant' ? 'agent' : 'callee', item.textContent ?? '', new Date(item.createdAt));
  });
  session.on(events.SpeechCreated, ({ source }) => {
    if (source === 'say') timings.ownAccord();
  });
  session.on(events.AgentStateChanged, ({ newState, oldState }) => {
    if (newState === 'speaking') deps.agentSpoke();
    if (oldState === 'speaking') recovery.spoke();
    silence.agent(isBusy(newState));
  });
  session.on(events.UserStateChanged, ({ newState, oldState }) => {
    silence.callee(newState === 'speaking');
    if (newState === 'speaking') timings.calleeSpeaks();
    if (oldState !== 'speaking') return;
    // As a rule the detector has told it more exactly (end-of-speech.ts).
    timings.calleeStopped(Date.now());
    // A realtime model answers by itself, and its transcript of the callee comes later.
    if (deps.state().language.speech.kind === 'realtime') timings.turnTaken();
  });
  session.on(events.MetricsCollected, ({ metrics }) => {
    const { language, realtimeIndex } = deps.state();
    const model = language.speech.kind === 'realtime' ? language.speech.models[realtimeIndex] : undefined;
    if (metrics.type === 'realtime_model_metrics' && model !== undefined) usage.count(metrics, slugOf(model));
  });
  recovery.watch(session);
}

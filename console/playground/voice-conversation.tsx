import { useEffect, useRef, useState } from 'react';
import { type Line, type Metadata, Refused, type Session, startSession } from './api.js';
import { Transcript } from './transcript.js';
import { TimeLeft } from './time-left.js';
import type { EndReason, VoiceCall } from './voice.js';
import { Words } from './words.js';

interface Props {
  readonly session: Session;
  readonly metadata: Metadata;
  readonly onSession: (session: Session) => void;
  readonly onOver: (error: unknown) => void;
}

type State = 'idle' | 'connecting' | 'waiting' | 'talking';

/** After which it is worth saying that no agent has come. */
const agentWithinMs = 15_000;

const words: Readonly<Record<State, string>> = {
  idle: 'Not connected.',
  connecting: 'Connecting…',
  waiting: 'Connected. Waiting for the agent…',
  talking: 'The agent is there.',
};

const endings: Readonly<Record<EndReason, string>> = {
  time_over: 'The time of this conversation is up. Start again to keep talking.',
  too_many:
    'This account already has as many playground conversations as it may have at once. Start again when one has ended.',
  agent_failed:
    'The agent had to give up: its models have failed. The log of the agent worker says which and why; often a key is wrong or used up.',
  callee_silent: 'You were silent for a long time, so the agent hung up.',
  agent_lost: 'The agent was lost during the conversation. Check the log of the agent worker, then start again.',
  hung_up: 'The agent hung up.',
};

function whyNot(error: unknown): string {
  if (error instanceof DOMException) {
    if (error.name === 'NotAllowedError')
      return 'This page may not use the microphone. Allow it in the browser, then start again.';
    if (error.name === 'NotFoundError') return 'No microphone was found. Connect one, then start again.';
    if (error.name === 'NotReadableError') return 'Another program is using the microphone.';
  }
  return 'LiveKit could not be reached from this browser. Check OUTDIAL_LIVEKIT_URL, or OUTDIAL_LIVEKIT_PUBLIC_URL if browsers need another address.';
}

/** A conversation by microphone, with what is said written along. */
export function VoiceConversation({ session, metadata, onSession, onOver }: Props) {
  const [state, setState] = useState<State>('idle');
  const [lines, setLines] = useState<readonly (Line & { readonly id: string })[]>([]);
  const [problem, setProblem] = useState(session.voice?.problem ?? '');
  const [ending, setEnding] = useState<EndReason | null>(null);
  const [isMuted, setMuted] = useState(false);
  const [isSpeaking, setSpeaking] = useState(false);
  const call = useRef<VoiceCall | null>(null);
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
      void call.current?.end();
    },
    [],
  );
  useEffect(() => {
    if (state !== 'waiting') return;
    const late =
      'No agent has joined yet. Check that an agent worker runs (`outdial agent`), and its log: it must reach this LiveKit with ' +
      'the same key. You can write to the agent meanwhile.';
    const timer = setTimeout(() => setProblem(session.voice?.problem ?? late), agentWithinMs);
    return () => clearTimeout(timer);
  }, [state]);

  const start = async () => {
    setState('connecting');
    setProblem('');
    setEnding(null);
    setLines([]);
    setMuted(false);
    try {
      const [{ enterRoom }, next] = await Promise.all([
        import('./voice.js'),
        startSession(session.agentId, session.token, metadata),
      ]);
      onSession(next);
      if (next.voice === undefined) {
        setState('idle');
        return;
      }
      if (next.voice.problem !== undefined) {
        setProblem(next.voice.problem);
        setState('idle');
        return;
      }
      call.current = await enterRoom(next.voice, {
        onLine: (line) =>
          setLines((before) => {
            const known = before.some(({ id }) => id === line.id);
            return known ? before.map((each) => (each.id === line.id ? line : each)) : [...before, line];
          }),
        onAgent: (isHere) => {
          setState(isHere ? 'talking' : 'waiting');
          if (isHere) setProblem('');
        },
        onSpeaking: setSpeaking,
        onEnd: (reason) => {
          call.current = null;
          setEnding(reason);
          setState('idle');
          setSpeaking(false);
        },
      });
      // A visitor who has left this part of the page meanwhile is not listened to.
      if (isGone.current) await call.current.end();
    } catch (error) {
      setState('idle');
      if (error instanceof Refused && error.isFinal) onOver(error);
      else setProblem(error instanceof Refused ? error.message : whyNot(error));
    }
  };
  const mute = async () => {
    await call.current?.setMuted(!isMuted);
    setMuted(!isMuted);
  };

  return (
    <section className={`card conversation ${state}`} aria-label="Voice conversation">
      <Transcript
        lines={lines}
        isWaiting={false}
        empty="Talk to the agent as a callee would. What both of you say appears here."
      />
      {problem !== '' && (
        <p className="note warning" role="alert">
          <Words text={problem} />
        </p>
      )}
      {ending !== null && (
        <p className={`note ${ending === 'agent_failed' || ending === 'agent_lost' ? 'warning' : ''}`} role="status">
          {endings[ending]}
        </p>
      )}
      <div className="call">
        <span className={`light ${state} ${isSpeaking ? 'speaking' : ''}`} aria-hidden="true" />
        <span role="status">{isSpeaking ? 'The agent speaks.' : words[state]}</span>
        {state === 'talking' && session.voice !== undefined && <TimeLeft maxSeconds={session.voice.maxSeconds} />}
        {state === 'idle' ? (
          <button type="button" className="main" onClick={() => void start()}>
            Start talking
          </button>
        ) : (
          <>
            <button type="button" aria-pressed={isMuted} disabled={state === 'connecting'} onClick={() => void mute()}>
              {isMuted ? 'Unmute' : 'Mute'}
            </button>
            <button
              type="button"
              className="end"
              disabled={state === 'connecting'}
              onClick={() => void call.current?.end()}
            >
              Hang up
            </button>
          </>
        )}
      </div>
    </section>
  );
}

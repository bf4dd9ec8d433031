import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { askAgent, type Line, type Metadata, Refused, type Session } from './api.js';
import { Transcript } from './transcript.js';

interface Props {
  readonly session: Session;
  readonly metadata: Metadata;
  readonly onOver: (error: unknown) => void;
}

/** Of a long conversation, the agent gets only the end. */
const mostLines = 99;

/** A conversation in writing with the agent's language model. */
export function TextConversation({ session, metadata, onOver }: Props) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState('');
  const [isWaiting, setWaiting] = useState(false);
  const [draft, setDraft] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const round = useRef(0);
  const { model, problem: lacking } = session.text;

  const ask = async (said: readonly Line[]) => {
    const mine = (round.current += 1);
    setWaiting(true);
    setProblem('');
    setLines(said);
    try {
      const answer = await askAgent(session, said.slice(-mostLines), metadata);
      if (mine !== round.current) return;
      setMissing(answer.missing);
      const spoken = [answer.disclosure ?? '', answer.text].filter((text) => text !== '');
      setLines([...said, ...spoken.map((text) => ({ speaker: 'agent' as const, text }))]);
    } catch (error) {
      if (mine !== round.current) return;
      if (!(error instanceof Refused) || error.isFinal) {
        onOver(error);
        return;
      }
      setProblem(error.message);
      // What was written is given back, to be sent again.
      setDraft(said.at(-1)?.text ?? '');
      setLines(said.slice(0, -1));
    } finally {
      if (mine === round.current) setWaiting(false);
    }
    input.current?.focus();
  };
  useEffect(() => {
    void ask([]);
    return () => {
      round.current += 1;
    };
  }, []);

  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = draft.trim();
    if (text === '' || isWaiting) return;
    setDraft('');
    void ask([...lines, { speaker: 'callee', text }]);
  };

  return (
    <section className="card conversation" aria-label="Written conversation">
      <Transcript
        lines={lines.map((line, index) => ({ ...line, id: String(index) }))}
        isWaiting={isWaiting}
        empty="The agent waits for you to begin."
      />
      {missing.length > 0 && <p className="note">Nothing fills {missing.map((name) => `{{${name}}}`).join(', ')}.</p>}
      {lacking !== undefined && (
        <p className="note warning" role="alert">
          <strong>{model} cannot answer.</strong> {lacking}
        </p>
      )}
      {problem !== '' && (
        <p className="note warning" role="alert">
          {problem}
        </p>
      )}
      <form className="send" onSubmit={send}>
        <input
          ref={input}
          aria-label="What you say"
          placeholder="Write what a callee would say"
          maxLength={4_000}
          dir="auto"
          autoComplete="off"
          value={draft}
          disabled={lacking !== undefined}
          onChange={(event) => setDraft(event.currentTarget.value)}
        />
        <button type="submit" className="main" disabled={isWaiting || lacking !== undefined}>
          Send
        </button>
        <button type="button" disabled={isWaiting} onClick={() => void ask([])}>
          Start over
        </button>
      </form>
      <p className="quiet small">
        Answered by {model}. Tools and knowledge bases are not used here, and nothing is stored.
      </p>
    </section>
  );
}

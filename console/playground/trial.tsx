import { useState } from 'react';
import { type Metadata, type Session } from './api.js';
import { Fields } from './fields.js';
import { TextConversation } from './text-conversation.js';
import { VoiceConversation } from './voice-conversation.js';

const reasons = {
  no_livekit:
    'This service has no LiveKit, which carries the sound. Set OUTDIAL_LIVEKIT_URL and its key to talk to the agent.',
  simulated:
    'This service runs on the carrier simulator, which has no sound. Set it up with LiveKit to talk to the agent.',
  inactive: 'This agent is inactive: no version of it is deployed. Deploy it to talk to it.',
} as const;

interface Props {
  readonly first: Session;
  /** Nothing can go on: the session is over. */
  readonly onOver: (error: unknown) => void;
}

/** One agent, to be talked or written to. */
export function Trial({ first, onOver }: Props) {
  const [session, setSession] = useState(first);
  const [values, setValues] = useState<Metadata>({});
  /** The values that the conversation in writing has begun with. */
  const [begun, setBegun] = useState<Metadata>({});
  const [mode, setMode] = useState<'voice' | 'text'>(first.voice === undefined ? 'text' : 'voice');
  const { name, status, versionId, languages, fields, textOnlyReason } = session;

  const write = () => {
    setBegun(values);
    setMode('text');
  };

  return (
    <>
      <section className="agent">
        <h1>{name}</h1>
        <p className="facts">
          <span className={`status ${status}`}>{status}</span>
          <span className="languages">{languages.join(', ')}</span>
          <code title="The version you are trying">{versionId}</code>
        </p>
        {status === 'inactive' && <p className="note">You are trying its latest version, which no call uses yet.</p>}
      </section>
      {(fields.length > 0 || languages.length > 1) && (
        <Fields
          names={fields}
          languages={languages}
          language={first.language}
          onValues={setValues}
          onBegin={mode === 'text' ? () => setBegun(values) : null}
        />
      )}
      {textOnlyReason === undefined ? (
        <div className="modes" role="group" aria-label="How to try the agent">
          <button type="button" aria-pressed={mode === 'voice'} onClick={() => setMode('voice')}>
            Talk
          </button>
          <button type="button" aria-pressed={mode === 'text'} onClick={write}>
            Write
          </button>
        </div>
      ) : (
        <p className="note" id="why-text">
          <strong>In writing only.</strong> {reasons[textOnlyReason]}
        </p>
      )}
      {mode === 'voice' ? (
        <VoiceConversation session={session} metadata={values} onSession={setSession} onOver={onOver} />
      ) : (
        <TextConversation key={JSON.stringify(begun)} session={session} metadata={begun} onOver={onOver} />
      )}
    </>
  );
}

import { useEffect, useRef } from 'react';
import type { Line } from './api.js';

interface Props {
  readonly lines: readonly (Line & { readonly id: string })[];
  /** The agent is about to say something. */
  readonly isWaiting: boolean;
  readonly empty: string;
}

/** What was said, the newest at the end and in sight. */
export function Transcript({ lines, isWaiting, empty }: Props) {
  const end = useRef<HTMLDivElement>(null);
  const last = lines.at(-1)?.text;
  useEffect(() => {
    // Some browsers answer with a promise, which an effect must not return.
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [lines.length, last, isWaiting]);

  return (
    <div className="transcript" role="log" aria-label="Conversation" tabIndex={0}>
      {lines.length === 0 && !isWaiting && <p className="quiet">{empty}</p>}
      {lines.map(({ id, speaker, text }, index) => (
        <div key={id} className={`line ${speaker}`}>
          {lines[index - 1]?.speaker !== speaker && (
            <span className="who">{speaker === 'agent' ? 'Agent' : 'You'}</span>
          )}
          <p dir="auto">{text}</p>
        </div>
      ))}
      {isWaiting && (
        <p className="quiet waiting" role="status">
          The agent answers…
        </p>
      )}
      <div ref={end} />
    </div>
  );
}

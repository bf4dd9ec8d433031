import { useEffect, useState } from 'react';

/** The end is announced this long before it comes. */
const announcedSeconds = 60;

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** How long a conversation goes on that the agent ends after a time. Mounted when it begins. */
export function TimeLeft({ maxSeconds }: { readonly maxSeconds: number }) {
  const [endsAt] = useState(() => Date.now() + maxSeconds * 1000);
  const [left, setLeft] = useState(maxSeconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000))), 500);
    return () => clearInterval(timer);
  }, [endsAt]);
  const isNear = left <= announcedSeconds;

  return (
    <>
      <span className={`time ${isNear ? 'near' : ''}`} role="timer" aria-label="Time left">
        {clock(left)}
      </span>
      {isNear && (
        <p className="note warning over" role="status">
          This conversation ends in less than a minute: a voice conversation lasts {clock(maxSeconds)} at most.
        </p>
      )}
    </>
  );
}

import { useEffect, useState } from 'react';
import { Refused, type Session, startSession } from './api.js';
import { Trial } from './trial.js';

type Stage =
  | { readonly kind: 'opening' }
  | { readonly kind: 'failed'; readonly words: string; readonly again: boolean }
  | { readonly kind: 'ready'; readonly session: Session };

const withoutToken =
  'This page has no token: a reload forgets the one in its address. Open the playground address that creating ' +
  'the agent returned, or “Try it” on the agent’s page of the console.';

/** @param token of the address; null: there was none */
export function Page({ agentId, token }: { readonly agentId: string; readonly token: string | null }) {
  const [stage, setStage] = useState<Stage>(
    token === null ? { kind: 'failed', words: withoutToken, again: false } : { kind: 'opening' },
  );
  const fail = (error: unknown) => {
    const words = error instanceof Refused ? error.message : 'Something went wrong on this page. Open it again.';
    setStage({ kind: 'failed', words, again: error instanceof Refused && !error.isFinal });
  };
  const open = () => {
    if (token === null) return;
    setStage({ kind: 'opening' });
    startSession(agentId, token).then((session) => setStage({ kind: 'ready', session }), fail);
  };
  useEffect(open, []);

  return (
    <>
      <header className="bar">
        <span className="mark" aria-hidden="true" />
        <span className="brand">Outdial</span>
        <span className="where">Playground</span>
      </header>
      <main>
        {stage.kind === 'opening' && (
          <p className="quiet" role="status">
            Opening…
          </p>
        )}
        {stage.kind === 'failed' && (
          <section className="card">
            <h1>The agent cannot be opened</h1>
            <p role="alert">{stage.words}</p>
            {stage.again && (
              <button type="button" className="main" onClick={open}>
                Try again
              </button>
            )}
          </section>
        )}
        {stage.kind === 'ready' && <Trial first={stage.session} onOver={fail} />}
      </main>
    </>
  );
}

/** Decides when processes that are to stand ready may load: it takes most of a processor, which a greeting needs. */
export interface StartGate {
  /** A process wants to load. @param go called when it may. @returns takes the wish back */
  ask(go: () => void): () => void;
  /** A process has loaded, or is gone: the next one may. */
  loaded(): void;
  /** A conversation needs the processor for so long from now on. */
  hold(ms: number): void;
  stop(): void;
}

/** However much is spoken, processes are needed for the next calls: longer than this none waits. */
const longestWaitMs = 20_000;
/** A process that has not told by then that it is ready does not keep others waiting. */
const longestLoadMs = 30_000;

/** How long a conversation needs the processor: from the first ringing, from the answer, and after the first sound. */
export const holdMs = { begun: 3_000, answered: 3_000, greeting: 1_000 } as const;

export function createStartGate(): StartGate {
  const waiting = new Map<() => void, number>();
  let quietAtMs = 0;
  let loadingUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    clearTimeout(timer);
    const [next] = waiting;
    if (next === undefined) return;
    const [go, askedMs] = next;
    const dueMs = Math.max(loadingUntilMs, Math.min(quietAtMs, askedMs + longestWaitMs));
    const leftMs = dueMs - Date.now();
    if (leftMs > 0) {
      timer = setTimeout(look, leftMs);
      timer.unref();
      return;
    }
    waiting.delete(go);
    loadingUntilMs = Date.now() + longestLoadMs;
    go();
    look();
  }

  return {
    ask(go) {
      waiting.set(go, Date.now());
      look();
      return () => {
        waiting.delete(go);
      };
    },
    loaded() {
      loadingUntilMs = 0;
      look();
    },
    hold(ms) {
      quietAtMs = Math.max(quietAtMs, Date.now() + ms);
      look();
    },
    stop() {
      clearTimeout(timer);
      waiting.clear();
    },
  };
}

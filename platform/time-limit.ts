/**
 * A signal that aborts as soon as `signal` does, or after `limitMs` with a `TimeoutError`.
 *
 * `AbortSignal.any` with `AbortSignal.timeout` inside is not enough: nothing but the combined signal refers to the limit, which Node 20
 * lets the garbage collector take away, so that it never comes.
 */
export function withTimeLimit(signal: AbortSignal, limitMs: number): AbortSignal {
  const limit = AbortSignal.timeout(limitMs);
  // Node keeps a limit that somebody listens to until it has come.
  limit.addEventListener('abort', () => undefined, { once: true });
  return AbortSignal.any([signal, limit]);
}

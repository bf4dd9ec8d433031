import { Context } from '@temporalio/activity';

/** Time between heartbeats; Temporal gives an activity up when a few in a row are missing. */
const everyMs = 2_000;

/**
 * Runs work that can take longer than ten seconds with a heartbeat, so that the death of its worker is noticed soon. The
 * signal aborts when the activity is cancelled.
 */
export async function withHeartbeat<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}

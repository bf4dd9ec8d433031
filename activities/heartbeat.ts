import { Context } from '@temporalio/activity';

/** Heartbeats are sent this often; an activity that beats is given up after a few that did not come. */
const everyMs = 2_000;

/**
 * Runs work that can take longer than ten seconds with a heartbeat, so that the death of its worker is noticed soon. The
 * signal says that the work is not wanted any more.
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

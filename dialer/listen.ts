import type { Pool } from 'pg';
import type { Logger } from '../platform/logger.js';

const reconnectMs = 1_000;

/**
 * Hears notifications on these channels over a connection of its own, which is opened again when it breaks. What is said in
 * between is lost; who listens has a slow poll for that.
 *
 * @param channels what to call with the payload of each notification; with '' where some may have been missed
 * @returns stops listening
 */
export function listen(
  pool: Pool,
  channels: Readonly<Record<string, (payload: string) => void>>,
  logger: Logger,
): () => Promise<void> {
  /** Gives the connection back that listens. */
  let release: (() => void) | null = null;
  let closed = false;

  async function connect(): Promise<void> {
    const connection = await pool.connect();
    // A connection that breaks says so more than once, and to a statement under way as well.
    const lease = { held: true };
    const letGo = () => {
      if (lease.held) connection.release(true);
      lease.held = false;
    };
    try {
      connection.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''));
      connection.on('error', (error) => {
        letGo();
        if (release !== letGo) return;
        release = null;
        logger.warn({ err: error }, 'the connection for notifications broke');
        retry();
      });
      for (const channel of Object.keys(channels)) await connection.query(`listen ${channel}`);
      if (!lease.held) throw new Error('the connection broke as soon as it listened');
    } catch (error) {
      letGo();
      throw error;
    }
    release = letGo;
    // What was said before is unknown.
    for (const heard of Object.values(channels)) heard('');
  }

  function retry(): void {
    if (closed) return;
    setTimeout(() => {
      if (!closed) connecting = connect().catch(retry);
    }, reconnectMs).unref();
  }

  let connecting = connect().catch(retry);
  return async () => {
    closed = true;
    await connecting;
    release?.();
  };
}

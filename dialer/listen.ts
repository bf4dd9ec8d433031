import type { Pool } from 'pg';
import type { Logger } from '../platform/logger.js';

const reconnectMs = 1_000;

/**
 * Listens for notifications on these channels over a separate connection, which is opened again when it breaks. Notifications
 * in between are lost: callers poll slowly as well.
 *
 * @param channels called with the payload of each notification, and with '' when some may have been missed
 * @returns stops listening
 */
export function listen(
  pool: Pool,
  channels: Readonly<Record<string, (payload: string) => void>>,
  logger: Logger,
): () => Promise<void> {
  /** Closes the connection that listens. */
  let release: (() => void) | null = null;
  let closed = false;

  async function connect(): Promise<void> {
    const connection = await pool.connect();
    // A connection that breaks reports it more than once, and fails the statement under way as well.
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
        logger.warn({ err: error }, 'the connection that listens for notifications broke; connecting again');
        retry();
      });
      for (const channel of Object.keys(channels)) await connection.query(`listen ${channel}`);
      if (!lease.held) throw new Error('the connection broke as soon as it listened');
    } catch (error) {
      letGo();
      throw error;
    }
    release = letGo;
    // Notifications may have been missed before.
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

import closeWithGrace from 'close-with-grace';
import type { Logger } from '../../platform/logger.js';
import { goOnUnread } from '../standard-output.js';

/** Closes what a role has opened. */
export type Closable = () => Promise<unknown>;

/**
 * Ends the role in good order on SIGTERM, SIGINT and on an uncaught error (exit code 1). An end before all is closed (exit code 1)
 * is logged with its cause and with what was open still.
 *
 * @param graceMs after this time the process exits with 1, even if something is still open
 * @param closables by name, in the order of opening; called backwards
 */
export function closeOnSignal(logger: Logger, graceMs: number, closables: Readonly<Record<string, Closable>>): void {
  goOnUnread();
  const open = new Set(Object.keys(closables));
  const stillOpen = () => ({ stillOpen: [...open] });
  const options = {
    delay: graceMs,
    logger: false,
    skip: ['beforeExit'],
    onTimeout: () => logger.error(stillOpen(), `not stopped within ${graceMs / 1000} s: the process ends now`),
    onSecondSignal: (signal) => logger.warn({ signal, ...stillOpen() }, 'a second signal: the process ends now'),
    onSecondError: (err) =>
      logger.fatal({ err, ...stillOpen() }, 'another uncaught error while stopping: the process ends now'),
  } satisfies closeWithGrace.Options;
  closeWithGrace(options, async ({ signal, err }) => {
    if (err === undefined) logger.info({ signal }, 'stopping');
    else logger.fatal({ err }, 'stopping after an uncaught error');
    for (const [part, close] of Object.entries(closables).reverse()) {
      await close().catch((error: unknown) =>
        logger.error({ err: error, part }, 'a part of the process could not be closed'),
      );
      open.delete(part);
    }
    logger.info('stopped');
  });
}

import closeWithGrace from 'close-with-grace';
import type { Logger } from '../../platform/logger.js';
import { goOnUnread } from '../standard-output.js';

/** Functions that close what a role has opened, in the order of opening; called backwards. */
export type Closable = () => Promise<unknown>;

/**
 * Ends the role in good order on SIGTERM, SIGINT and on an uncaught error (exit code 1).
 * @param graceMs after this time the process exits with 1, even if something is still open
 */
export function closeOnSignal(logger: Logger, graceMs: number, closables: readonly Closable[]): void {
  goOnUnread();
  closeWithGrace({ delay: graceMs, logger: false, skip: ['beforeExit'] }, async ({ signal, err }) => {
    if (err === undefined) logger.info({ signal }, 'stopping');
    else logger.fatal({ err }, 'stopping after an uncaught error');
    for (const close of [...closables].reverse()) {
      await close().catch((error: unknown) =>
        logger.error({ err: error }, 'a part of the process could not be closed'),
      );
    }
    logger.info('stopped');
  });
}

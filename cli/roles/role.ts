import closeWithGrace from 'close-with-grace';
import type { Logger } from '../../platform/logger.js';

/** What a role has opened, in the order of opening; closed backwards. */
export type Closable = () => Promise<unknown>;

/**
 * Ends the role in good order on SIGTERM, SIGINT and on an error that nobody caught (which exits with 1).
 * @param graceMs after it the process exits with 1, whatever still hangs
 */
export function closeOnSignal(logger: Logger, graceMs: number, closables: readonly Closable[]): void {
  closeWithGrace({ delay: graceMs, logger: false, skip: ['beforeExit'] }, async ({ signal, err }) => {
    if (err === undefined) logger.info({ signal }, 'stopping');
    else logger.fatal({ err }, 'stopping after an error that nobody caught');
    for (const close of [...closables].reverse()) {
      await close().catch((error: unknown) => logger.error({ err: error }, 'a part did not close'));
    }
    logger.info('stopped');
  });
}

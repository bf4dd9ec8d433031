import type { Logger } from '../../platform/logger.js';

/**
 * From here on the process outlives errors that nothing catches, such as one of a connection of a model's plug-in that breaks
 * while nothing listens to it. It has one callee, who would hear nothing until another process has taken over; a model that the
 * error took away is missed by its answers, and replaced.
 */
export function outliveErrors(logger: Logger): void {
  process.on('uncaughtException', (error) =>
    logger.error({ err: error }, 'nothing caught an error; the conversation goes on'),
  );
}

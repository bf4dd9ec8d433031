/**
 * The task queue on which files are read, beside the workers' own. A worker takes few of them at once, because each may
 * need a hundred megabytes, and they must not hold up what is quick.
 */
export const filesQueue = (taskQueue: string): string => `${taskQueue}-files`;

/** The task queue on which documents are read: slow ones hold up no batch. */
export const documentsQueue = (taskQueue: string): string => `${taskQueue}-documents`;

/** The task queue of what waits for servers of others, such as receivers of webhooks and models: a slow one holds up no call. */
export const outsideQueue = (taskQueue: string): string => `${taskQueue}-outside`;

/** Temporal's name for the workers of a task queue, whatever their version, if OUTDIAL_WORKER_BUILD_ID is set. It may hold no dot and no colon. */
export const deploymentOf = (taskQueue: string): string => taskQueue.replaceAll(/[.:]/g, '-');

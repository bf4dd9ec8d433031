/**
 * The task queue on which files are read, beside the workers' own. A worker takes few of them at once, because each may
 * need a hundred megabytes, and they must not hold up what is quick.
 */
export const filesQueue = (taskQueue: string): string => `${taskQueue}-files`;

/** The task queue on which documents are read: slow ones hold up no batch. */
export const documentsQueue = (taskQueue: string): string => `${taskQueue}-documents`;

import { hostname } from 'node:os';
import type { Client } from '@temporalio/client';
import type { Logger } from '../platform/logger.js';
import { livePollers } from './pollers.js';

const answerWithinMs = 20_000;
const ofDatabase = ' of database ';

/** How a worker calls itself in Temporal. Workers of one database see by it whether those of another take their work. */
export const workerIdentity = (databaseId: string): string => `${process.pid}@${hostname()}${ofDatabase}${databaseId}`;

/**
 * Refuses a task queue that workers of another database ask for work: Temporal would give each the work of both, which neither finds in
 * its database, and batches of both would stand still. Workers of versions that do not say which database they have are let pass.
 *
 * @throws if there are such workers. A Temporal that does not say who asks is believed to have none
 */
export async function requireOwnQueue(
  client: Client,
  { namespace, taskQueue, databaseId, logger }: OwnQueue,
): Promise<void> {
  const pollers = await livePollers(client, namespace, taskQueue, answerWithinMs).catch((error: unknown) => {
    logger.warn(
      { err: error },
      'Temporal does not say which workers it has; whether another database has some is not known',
    );
    return [];
  });
  const stranger = pollers.find(({ identity }) => {
    const [, other] = identity.split(ofDatabase);
    return other !== undefined && other !== databaseId;
  });
  if (stranger === undefined) return;
  throw new Error(
    `A worker of another database (${stranger.identity}) asks Temporal for the work of the task queue ${taskQueue} in the namespace ` +
      `${namespace}. Two services that share a task queue take each other's work, and calls of both stand still. Give this one a ` +
      'namespace of its own (TEMPORAL_NAMESPACE) or a task queue (OUTDIAL_TASK_QUEUE), for all its roles. If the other worker has ' +
      'been ended for good, start this one again in two minutes.',
  );
}

interface OwnQueue {
  readonly namespace: string;
  readonly taskQueue: string;
  /** `databaseIdentity` */
  readonly databaseId: string;
  readonly logger: Logger;
}

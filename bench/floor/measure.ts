import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { v4 as uuid } from 'uuid';
import { bundleWorkflows } from '../../workflows/bundle/bundle.js';
import { canReadProcesses, cpuMs } from '../processes.js';

const activities = { nothing: async (): Promise<void> => undefined };
export type FloorActivities = typeof activities;

const taskQueue = 'bench-floor';
/** Open children of one batch. More gains nothing here and floods the parent with events. */
const atOnce = 40;
/** Fewer if fewer are measured. */
const mostWarmUpCalls = 80;

/** As the product's own worker has them. */
const pollers = { type: 'autoscaling', minimum: 1, initial: 2, maximum: 20 } as const;

export interface Floor {
  readonly callsPerSecond: number;
  /** Processor time of the Temporal server; NaN if it cannot be read. */
  readonly temporalMsPerCall: number;
  readonly note: string;
}

/**
 * What the least that a workflow per call can do costs on this Temporal server: parents, one for each batch, with a
 * child for each call, whose one activity does nothing. No database, no dialing, no retries.
 */
export async function measureFloor(
  temporal: { readonly address: string; readonly pid: number | null },
  batches: number,
  calls: number,
): Promise<Floor> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const { address } = temporal;
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await Connection.connect({ address });
  const client = new Client({ connection: clientConnection });
  const code = await bundleWorkflows(fileURLToPath(new URL('./workflows.js', import.meta.url)));
  const worker = await Worker.create({
    connection,
    taskQueue,
    activities,
    reuseV8Context: true,
    maxCachedWorkflows: 1_000,
    workflowBundle: { code },
    workflowTaskPollerBehavior: pollers,
    activityTaskPollerBehavior: pollers,
  });
  const run = async (count: number): Promise<number> => {
    const startedMs = performance.now();
    const share = Math.ceil(count / batches);
    await Promise.all(
      Array.from({ length: batches }, (_, batch) => {
        const args = [{ calls: Math.min(share, count - batch * share), atOnce }];
        return client.workflow.execute('floorBatch', { taskQueue, workflowId: `bench-${uuid()}`, args });
      }),
    );
    return (performance.now() - startedMs) / 1000;
  };
  try {
    return await worker.runUntil(async () => {
      await run(Math.min(mostWarmUpCalls, calls));
      const used = () => (canReadProcesses && temporal.pid !== null ? cpuMs(temporal.pid) : NaN);
      const before = used();
      const seconds = await run(calls);
      return {
        callsPerSecond: calls / seconds,
        temporalMsPerCall: (used() - before) / calls,
        note: `${calls} calls in ${seconds.toFixed(1)} s: ${batches} parents, a child and a no-op activity per call`,
      };
    });
  } finally {
    await clientConnection.close();
    await connection.close();
  }
}

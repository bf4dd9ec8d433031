import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { createActivities } from '../../activities/create-activities.js';
import type { ActivityDeps, DeploySettings, FetchOutside, WorkflowControl } from '../../activities/deps.js';
import { type Database, openDatabase } from '../../db/client.js';
import { temporalTestServer } from '../../embedded/temporal-test-server.js';
import { createSecretBox, type SecretBox } from '../../platform/secret-box.js';
import { createCampaignSchedules } from '../../worker/campaign-schedules.js';
import { createWorkers } from '../../worker/create-workers.js';
import { createOutboxSender, type OutboxSender } from '../../worker/outbox-sender.js';
import { logTemporalThrough } from '../../worker/temporal-logger.js';
import { createWorkflowControl } from '../../worker/workflow-control.js';
import { customUrls } from '../../domain/agent/model-endpoints.js';
import { searchAttributeNames } from '../../domain/workflow/contract.js';
import { testDatabase } from '../setup/database.js';
import { temporalAddress } from '../setup/temporal.js';
import { workflowCode } from './workflow-code.js';

export const testSecretBox = (): SecretBox => createSecretBox([`k1:${Buffer.alloc(32, 7).toString('base64')}`]);
export const quietLogger = pino({ level: process.env.OUTDIAL_TEST_LOG ?? 'silent' });

logTemporalThrough(quietLogger);

/** Nothing in these tests reaches the network unless a test says how. */
export const noNetwork: FetchOutside = () => Promise.reject(new Error('no network here'));

/** Agents are simulated, as with the carrier simulator. */
export const simulatedDeploys: DeploySettings = {
  simulated: true,
  asksModels: true,
  defaultRegion: 'default',
  modelDefaults: { stt: 'deepgram/nova-3', llm: 'openai/gpt-4.1-mini', tts: 'cartesia/sonic-2' },
  serviceKeys: new Set(),
  customKinds: new Set(),
  agentsOf: () => Promise.resolve('none'),
};

/** Postgres, Temporal and a worker; the test plays the API and the dialer. */
export interface WorkflowTestEnv {
  readonly client: Client;
  readonly database: Database;
  readonly workflows: WorkflowControl;
  readonly outbox: OutboxSender;
  readonly taskQueue: string;
  /** Asks until it says so. */
  until(condition: () => Promise<boolean>): Promise<void>;
  /** Ends the worker, as a shutdown does. */
  stopWorker(): Promise<void>;
  /** Starts another worker beside it, of this version. @param others when it asks for files and documents, too @returns what ends it */
  addWorker(buildId: string | undefined, others?: Promise<void>): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** An environment in which time can be skipped. It knows no schedules, and chokes on terminated workflows. */
export interface TimeSkippingTestEnv extends WorkflowTestEnv {
  readonly env: TestWorkflowEnvironment;
}

export type TestEnvOptions = Partial<ActivityDeps>;

interface Server {
  readonly client: Client;
  readonly connection: NativeConnection;
  stop(): Promise<void>;
}

async function testEnvOn(server: Server, options: TestEnvOptions): Promise<WorkflowTestEnv> {
  const [own, code] = await Promise.all([testDatabase(), workflowCode()]);
  const database = openDatabase({ url: own.url, poolSize: 10, name: 'test' });
  const taskQueue = `test-${uuidv7()}`;
  const workflows = createWorkflowControl(server.client, taskQueue);
  const outbox = createOutboxSender(workflows, database.db, quietLogger);
  const activities = createActivities({
    database,
    logger: quietLogger,
    secretBox: testSecretBox(),
    fetchOutside: noNetwork,
    workflows,
    campaignSchedules: createCampaignSchedules(server.client, taskQueue),
    kickOutbox: () => outbox.kick(),
    deploy: simulatedDeploys,
    languageModels: { serviceKey: () => undefined, customUrls: customUrls({}) },
    ...options,
  });
  const stops: (() => Promise<void>)[] = [];
  const addWorker = async (buildId: string | undefined, others = Promise.resolve()): Promise<() => Promise<void>> => {
    const workers = await createWorkers({
      ...{ connection: server.connection, namespace: 'default', taskQueue, workflowBundle: { code }, poolSize: 10 },
      ...{ activities, buildId },
    });
    const running = workers.map((worker, at) => (at === 0 ? worker.run() : others.then(() => worker.run())));
    const stop = async (): Promise<void> => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.all(running);
    };
    stops.push(stop);
    return stop;
  };
  const stopWorker = await addWorker(undefined);
  return {
    client: server.client,
    database,
    workflows,
    outbox,
    taskQueue,
    until,
    stopWorker,
    addWorker,
    async close() {
      await outbox.settle();
      for (const stop of stops) await stop();
      await server.stop();
      await database.close();
      await own.close();
    },
  };
}

/** An environment on Temporal's test server. */
export async function timeSkippingTestEnv(options: TestEnvOptions = {}): Promise<TimeSkippingTestEnv> {
  const env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: await temporalTestServer() } },
  });
  // The test server takes them, and cannot say which it has.
  await env.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(
      Object.values(searchAttributeNames).map((name) => [
        name,
        temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
      ]),
    ),
  });
  const server = { client: env.client, connection: env.nativeConnection, stop: () => env.teardown() };
  return { ...(await testEnvOn(server, options)), env };
}

/** An environment on a real Temporal server, shared with other test files. */
export async function realTimeTestEnv(options: TestEnvOptions = {}): Promise<WorkflowTestEnv> {
  const address = await temporalAddress();
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await Connection.connect({ address });
  const stop = async (): Promise<void> => {
    await clientConnection.close();
    await connection.close();
  };
  return testEnvOn({ client: new Client({ connection: clientConnection }), connection, stop }, options);
}

/** Polls a condition, for four minutes at most: the machine may be busy with other tests. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 240_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`It never came true: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

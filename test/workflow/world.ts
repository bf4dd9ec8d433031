import { fileURLToPath } from 'node:url';
import { temporal } from '@temporalio/proto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { createActivities } from '../../activities/create-activities.js';
import type { ActivityDeps, FetchOutside, WorkflowDoor } from '../../activities/deps.js';
import { type Database, openDatabase } from '../../db/client.js';
import { temporalTestServer } from '../../embedded/temporal-test-server.js';
import { createSecretBox, type SecretBox } from '../../platform/secret-box.js';
import { createWorkers } from '../../worker/create-workers.js';
import { createOutboxSender, type OutboxSender } from '../../worker/outbox-sender.js';
import { logTemporalThrough } from '../../worker/temporal-logger.js';
import { createWorkflowDoor } from '../../worker/workflow-door.js';
import { bundleWorkflows } from '../../workflows/bundle/bundle.js';
import { searchAttributeNames } from '../../workflows/contract.js';
import { testDatabase } from '../setup/database.js';

let bundle: Promise<string> | undefined;
/** The workflows' code, made once per test file. */
export const workflowCode = (): Promise<string> =>
  (bundle ??= bundleWorkflows(fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))));

export const testSecretBox = (): SecretBox => createSecretBox([`k1:${Buffer.alloc(32, 7).toString('base64')}`]);
export const quietLogger = pino({ level: process.env.OUTDIAL_TEST_LOG ?? 'silent' });

logTemporalThrough(quietLogger);

/** Nothing in these tests reaches the network unless a test says how. */
const noNetwork: FetchOutside = () => Promise.reject(new Error('no network here'));

export interface World {
  readonly env: TestWorkflowEnvironment;
  readonly database: Database;
  readonly door: WorkflowDoor;
  readonly outbox: OutboxSender;
  /** Asks Postgres until it says so. */
  until(condition: () => Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly fetchOutside?: FetchOutside;
  readonly activities?: Partial<ActivityDeps>;
}

/** Postgres, Temporal with skippable time, and a worker; whoever tests plays the API and the dialer. */
export async function aWorld(options: WorldOptions = {}): Promise<World> {
  const [own, env, code] = await Promise.all([
    testDatabase(),
    TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path: await temporalTestServer() } },
    }),
    workflowCode(),
  ]);
  const database = openDatabase({ url: own.url, poolSize: 10, name: 'test' });
  const taskQueue = `test-${uuidv7()}`;
  const door = createWorkflowDoor(env.client, taskQueue);
  const outbox = createOutboxSender(door, database.db, quietLogger);
  // The test server takes them, and cannot say which it has.
  await env.client.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(
      Object.values(searchAttributeNames).map((name) => [
        name,
        temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
      ]),
    ),
  });
  const workers = await createWorkers({
    connection: env.nativeConnection,
    namespace: 'default',
    taskQueue,
    workflowBundle: { code },
    poolSize: 10,
    activities: createActivities({
      database,
      logger: quietLogger,
      secretBox: testSecretBox(),
      fetchOutside: options.fetchOutside ?? noNetwork,
      door,
      kickOutbox: () => outbox.kick(),
      deploy: {
        simulated: true,
        defaultRegion: 'default',
        modelDefaults: { stt: 'deepgram/nova-3', llm: 'openai/gpt-4.1-mini', tts: 'cartesia/sonic-2' },
        serviceKeys: new Set(),
        isRegionServed: () => Promise.resolve(false),
      },
      ...options.activities,
    }),
  });
  const running = workers.map((worker) => worker.run());
  return {
    env,
    database,
    door,
    outbox,
    until: (condition) => until(condition),
    async close() {
      await outbox.settle();
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      await env.teardown();
      await database.close();
      await own.close();
    },
  };
}

/** Polls a condition, for 20 s at most. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`It never came true: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export async function batchRow(database: Database, batchId: string) {
  return database.db.selectFrom('batches').selectAll().where('id', '=', batchId).executeTakeFirstOrThrow();
}

export async function statusOf(database: Database, batchId: string): Promise<string> {
  return (await batchRow(database, batchId)).status;
}

/** The API's part of a cancel: committed first, then told. */
export async function cancelBatch(
  { database, door }: Pick<World, 'database' | 'door'>,
  batchId: string,
  mode: 'graceful' | 'immediate' = 'graceful',
): Promise<void> {
  await sql`
    update batches set status = 'cancelling', cancel_mode = ${mode}, updated_at = now() where id = ${batchId}`.execute(
    database.db,
  );
  await door.signal(batchId, 'cancel');
}

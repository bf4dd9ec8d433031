import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { v7 as uuidv7 } from 'uuid';
import { formatId } from '../../domain/ids.js';
import { failureOf } from '../../worker/scrub-failures.js';
import { aTenant } from './fixtures.js';
import { realTimeTestEnv, simulatedDeploys, type WorkflowTestEnv } from './test-env.js';

const person = 'Asha Rao of 12 Hill Road';
const number = '+14155550123';
let testEnv: WorkflowTestEnv;
let asked = 0;

/** As often as it is asked the first times, PostgreSQL refuses a value and quotes it, once as the cause of another error. */
async function agentsOf(): Promise<'served'> {
  asked += 1;
  const refused = testEnv.database.pool.query('select $1::uuid', [`${person} ${number}`]);
  if (asked === 1) await refused;
  if (asked === 2) {
    await refused.catch((error: unknown) => {
      throw new Error(`The row of ${number} cannot be read`, { cause: error });
    });
  }
  await refused.catch(() => undefined);
  return 'served';
}

beforeAll(async () => {
  testEnv = await realTimeTestEnv({ deploy: { ...simulatedDeploys, agentsOf } });
});
afterAll(() => testEnv.close());

test('a history of Temporal holds the errors of activities without the values that PostgreSQL quotes', async () => {
  const { db } = testEnv.database;
  const { accountId, agentId, versionId } = await aTenant(db);
  const id = formatId('deployment', uuidv7());
  await db
    .insertInto('deployments')
    .values({ id, account_id: accountId, agent_id: agentId, version_id: versionId, region: 'default' })
    .execute();
  await testEnv.workflows.start('deployAgent', id, { accountId, deploymentId: id });
  const handle = testEnv.client.workflow.getHandle(id);
  const seen = new Set<string>();
  const note = async (): Promise<void> => {
    const { raw } = await handle.describe();
    for (const { lastFailure } of raw.pendingActivities ?? []) if (lastFailure) seen.add(JSON.stringify(lastFailure));
  };
  await testEnv.until(async () => {
    await note();
    return (await handle.describe()).status.name === 'COMPLETED';
  });
  expect(asked).toBe(3);

  const { events } = await handle.fetchHistory();
  const history = JSON.stringify(events);
  expect(history).toContain('The row of [number] cannot be read: invalid input syntax for type uuid:');
  expect(history).toContain('[data]');
  for (const text of [history, ...seen]) {
    expect(text).not.toContain(person);
    expect(text).not.toContain('4155550123');
  }
});

test('a failure of our own keeps its type and whether it is tried again; a cancellation stays as it is', () => {
  const cause = new Error(`no row for ${number}`);
  const failure = failureOf(
    ApplicationFailure.create({ message: `${number} is busy`, type: 'Busy', nonRetryable: true, cause }),
  );
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ message: '[number] is busy: no row for [number]', type: 'Busy', nonRetryable: true });
  expect(String((failure as Error).stack)).not.toContain('4155550123');
  expect((failure as Error).cause).toBeUndefined();
  const cancelled = new CancelledFailure('the batch is over');
  expect(failureOf(cancelled)).toBe(cancelled);
});

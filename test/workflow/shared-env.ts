import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { aTenant, type Tenant } from './fixtures.js';
import type { WorkflowTestEnv } from './test-env.js';

/**
 * One environment for all tests of the file, or of the `describe`, that calls this: to make one takes more of the
 * processor than most tests do. Each test has an account of its own, and finds nothing that earlier tests left to be told:
 * neither in the outbox nor as webhooks.
 *
 * A server that skips time has one clock for all of these tests, which runs ahead of the one of Postgres. A test that asks
 * what time it is, or skips what others' workflows would spend hours on, takes `ownTestEnv`.
 *
 * @param open makes the environment
 * @param use takes it, and the account, before each test
 * @param sealedSecret the account's webhook secret as stored
 */
export function shareTestEnv<Env extends WorkflowTestEnv>(
  open: () => Promise<Env>,
  use: (testEnv: Env, tenant: Tenant) => void,
  sealedSecret?: (accountId: string) => string,
): void {
  let testEnv: Env;
  beforeAll(async () => {
    testEnv = await open();
  });
  afterAll(() => testEnv.close());
  beforeEach(async () => {
    const { db } = testEnv.database;
    await testEnv.outbox.settle();
    await db.deleteFrom('outbox').execute();
    await db.deleteFrom('webhook_deliveries').execute();
    use(testEnv, await aTenant(db, sealedSecret));
  });
}

/** An environment, and an account in it, for the test that calls this alone. */
export async function ownTestEnv<Env extends WorkflowTestEnv>(open: () => Promise<Env>): Promise<[Env, Tenant]> {
  const testEnv = await open();
  onTestFinished(() => testEnv.close());
  return [testEnv, await aTenant(testEnv.database.db)];
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../db/client.js';
import { addToOutbox, type OutboxEntry } from '../../../db/queries/outbox.js';
import { signalNames, workflowNames } from '../../../domain/workflow/contract.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 2, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await own.close();
});

const accountId = 'acc_1';
const callId = '01a1fea9-43e4-7146-b848-b668299e3d0f';
const deliveryId = 'whd_1';

/** What the outbox holds, without what it adds by itself. */
async function rowAfter(write: () => Promise<unknown>): Promise<unknown> {
  const { db } = database;
  await db.deleteFrom('outbox').execute();
  await write();
  return db.selectFrom('outbox').select(['kind', 'name', 'workflow_id', 'input']).executeTakeFirstOrThrow();
}

const pairs: readonly [OutboxEntry, ReturnType<typeof sql>][] = [
  [{ kind: 'start', name: 'analyzeCall', input: { accountId, callId } }, sql`analysis_start(${accountId}, ${callId})`],
  [{ kind: 'start', name: 'summarizeCall', input: { accountId, callId } }, sql`summary_start(${accountId}, ${callId})`],
  [
    { kind: 'start', name: 'analyzeCall', input: { accountId, callId, attempt: 2 } },
    sql`analysis_start(${accountId}, ${callId}, 2)`,
  ],
  [
    { kind: 'start', name: 'summarizeCall', input: { accountId, callId, attempt: 2 } },
    sql`summary_start(${accountId}, ${callId}, 2)`,
  ],
  [
    { kind: 'start', name: 'deliverWebhook', input: { accountId, deliveryId } },
    sql`delivery_start(${accountId}, ${deliveryId})`,
  ],
];

test.each(pairs)('SQL starts a workflow as the contract does: %j', async (entry, call) => {
  const { db } = database;
  const bySql = () => sql`insert into outbox (kind, name, workflow_id, input) select * from ${call}`.execute(db);

  expect(await rowAfter(bySql)).toEqual(await rowAfter(() => addToOutbox(db, entry)));
});

/** Literals of SQL that are told to Temporal: `'start', '<name>'` and `'signal', '<name>'`. */
const namesIn = (text: string): [string, string][] =>
  [...text.matchAll(/'(start|signal)',\s*'(\w+)'/g)].map(([, kind, name]) => [kind!, name!]);

test('every name that a function of the database tells Temporal is in the contract', async () => {
  const { rows } = await sql<{ body: string }>`
    select prosrc as body from pg_proc where pronamespace = 'public'::regnamespace`.execute(database.db);
  const names = rows.flatMap(({ body }) => namesIn(body));

  expect(names.toSorted()).toEqual([
    ['start', 'analyzeCall'],
    ['start', 'deliverWebhook'],
    ['start', 'reconcileInbound'],
    ['start', 'summarizeCall'],
  ]);
  const unknown = names.filter(([kind, name]) => !(kind === 'start' ? workflowNames : signalNames).includes(name));
  expect(unknown).toEqual([]);
});

test('no query names a workflow or a signal in its SQL: the compiler would not see a typo', () => {
  const queries = fileURLToPath(new URL('../../../db/queries', import.meta.url));
  const files = readdirSync(queries, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((name) => namesIn(readFileSync(join(queries, name), 'utf8')))).toEqual([]);
});

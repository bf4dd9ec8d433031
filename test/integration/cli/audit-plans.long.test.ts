import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../../../cli/audit/run.js';
import { openDatabase, type Database } from '../../../db/client.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';

const accountId = 'acc_years';
const batches = 180;
const callsOfBatch = 1_000;
const singleCalls = 20_000;

let testing: TestDatabase;
let database: Database;
interface Asked {
  readonly text: string;
  readonly values: unknown[];
}
/** Each statement that the audit has sent, with the values of its first, which is a full page. */
const sent = new Map<string, unknown[]>();

beforeAll(async () => {
  testing = await testDatabase();
  await fill(testing.url);
  database = openDatabase({ url: testing.url, poolSize: 1, name: 'test' });
  database.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (asked: Asked) => Promise<unknown>;
    Object.assign(client, {
      query: (asked: Asked) => {
        if (!sent.has(asked.text)) sent.set(asked.text, asked.values);
        return query(asked);
      },
    });
  });
}, 300_000);
afterAll(async () => {
  await database.close();
  await testing.close();
});

const uuid = (place: string): string => `('01900000-0000-7000-8000-' || lpad(to_hex(${place}), 12, '0'))::uuid`;
const number = (place: string): string => `('+1555' || lpad((${place})::text, 7, '0'))`;

/** 200,000 calls, a third of which needed two attempts, of batches and by themselves, with something for each check to read. */
async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const total = batches * callsOfBatch + singleCalls;
  const daily = JSON.stringify({ from: '00:00', until: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'UTC' });
  await client.query(`
    set session_replication_role = replica;
    insert into accounts (id, name, webhook_secret_sealed) values ('${accountId}', 'Years', 'x');
    insert into guardrails (account_id, updated_at, calling_hours) values ('${accountId}', now() - interval '2 days', '${daily}');
    insert into gateways (id, account_id, direction, name, sip_region, address, transport, max_concurrent_calls, reserved_calls)
      values ('gw_1', '${accountId}', 'outbound', 'Trunk', 'default', 'sip.example.com', 'tls', 1000, 10);
    insert into counted_numbers (number_id, account_id, e164, timezone, day, max_calls_per_day)
      values ('num_1', '${accountId}', '+15550100001', 'UTC', now()::date, 1000000);
    insert into audit_log (account_id, action, target, details, at)
      select '${accountId}', 'phone-number.update', 'num_' || i, '{"fields":["maxCallsPerDay"]}', now() - interval '60 days'
      from generate_series(1, 2000) i;
    insert into batches (id, account_id, name, number_id, from_number, rule_id, gateway_id, agent_id, status, timing, timezone,
        starts_at, started_at, completed_at, calls_per_workflow, created_at, webhook_endpoint, webhook_events,
        calling_window, stop_after_answered)
      select 'batch_' || i, '${accountId}', 'Batch', 'num_1', '+15550100001', 'rule_1', 'gw_1', 'agent_1', 'completed', 'immediate',
        'UTC', now() - interval '30 days', now() - interval '30 days', now(), 50, now() - interval '30 days', 'https://example.com/hook',
        '{batchcall-completed}', case when i = 1 then '${daily}'::jsonb end, case when i = 2 then ${callsOfBatch} end
      from generate_series(1, ${batches}) i;
    insert into webhook_deliveries (id, account_id, batch_id, event, endpoint, payload)
      select 'whd_' || i || e, '${accountId}', 'batch_' || i, e, 'https://example.com/hook', '{}'
      from generate_series(1, ${batches}) i cross join (
        select 'batchcall-completed' union all select 'call-hangup-' || n from generate_series(1, 100) n) z (e);
    insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, status, attempts_made,
        created_at, ended_at)
      select ${uuid('i')}, '${accountId}', case when i < ${batches * callsOfBatch} then 'batch_' || (1 + i / ${callsOfBatch}) end,
        case when i < ${batches * callsOfBatch} then i % ${callsOfBatch} end, ${number('i')}, '+15550100001', 'rule_1', 'gw_1', 'answered',
        1 + (i % 3 = 0)::integer, now() - interval '30 days' + i * interval '10 seconds', now()
      from generate_series(0, ${total - 1}) i;
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, phase, invite, due_at, dialed_at,
        ended_at, outcome, next_attempt_at, reported_at)
      select c.id, n, '${accountId}', c.batch_id, 'gw_1', c.to_number, 'ended', 1, z.at, z.at, z.at + interval '5 seconds',
        case when n = c.attempts_made then 'answered' else 'rejected' end,
        case when n < c.attempts_made then z.at + interval '1 hour' end, now()
      from calls c cross join generate_series(1, 2) n
      cross join lateral (select c.created_at + (n - 1) * interval '2 hours' as at) z where n <= c.attempts_made;
    insert into batch_counters (batch_id, answered, attempts)
      select c.batch_id, count(*), sum(c.attempts_made) from calls c where c.batch_id is not null group by 1;
    insert into do_not_call (account_id, e164, created_at)
      select '${accountId}', ${number('i * 400')}, now() from generate_series(1, 500) i`);
  await client.query('analyze');
  await client.end();
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Temp Written Blocks': number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Tables that grow with each call that is made. */
const growing = ['calls', 'call_attempts', 'webhook_deliveries'];

/** Blocks of 8 KiB that a piece of 20,000 calls with their attempts may ask for: their indexes are walked call by call. */
const mostBlocks = 600_000;
/** Some 64 MiB. */
const mostTemporaryBlocks = 8_192;

test('no statement of the audit reads a table that grows from its beginning to its end, or writes much to disk', async () => {
  const report = await audit(
    database.db,
    { accountId: null, since: null },
    { deliveriesSince: null, isRunning: () => Promise.resolve(true) },
  );
  expect(report).toMatchObject({ batches, calls: batches * callsOfBatch + singleCalls });
  const client = new pg.Client({ connectionString: testing.url });
  await client.connect();
  const problems: string[] = [];
  let explained = 0;
  for (const [text, values] of sent) {
    if (!/^\s*(?:\(?select|with)\b/.test(text) || text.includes('set_config')) continue;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    );
    const [{ Plan: plan }] = rows[0]!['QUERY PLAN'];
    const about = text.replace(/\s+/g, ' ').slice(0, 120);
    explained += 1;
    for (const node of nodesOf(plan)) {
      if (node['Node Type'] === 'Seq Scan' && growing.includes(node['Relation Name'] ?? '')) {
        problems.push(`reads all of ${node['Relation Name']}: ${about}`);
      }
    }
    const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    if (blocks > mostBlocks) problems.push(`asks for ${blocks} blocks: ${about}`);
    if (plan['Temp Written Blocks'] > mostTemporaryBlocks)
      problems.push(`writes ${plan['Temp Written Blocks']} blocks: ${about}`);
  }
  await client.end();
  expect(problems).toEqual([]);
  expect(explained).toBeGreaterThanOrEqual(15);
});

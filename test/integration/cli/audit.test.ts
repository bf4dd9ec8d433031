import { Command } from 'commander';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { audit, type AuditReport } from '../../../cli/audit/run.js';
import { auditCommands } from '../../../cli/commands/audit.js';
import { openDatabase, type Database } from '../../../db/client.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import {
  accountId,
  answeredOnce,
  answeredTwice,
  breaks,
  campaign,
  dialer,
  limited,
  live,
  reserving,
  stopped,
} from './audited-rows.js';
import { dialerTestEnv, numbersEndingIn, until } from '../dialer/test-env.js';

let testing: TestDatabase;
let database: Database;

beforeEach(async () => {
  testing = await testDatabase();
  database = openDatabase({ url: testing.url, poolSize: 2, name: 'test' });
  await fill();
});
afterEach(async () => {
  await database.close();
  await testing.close();
});

const run = async (text: string): Promise<void> => {
  await sql.raw(text).execute(database.db);
};

/** A finished batch of two calls, one of which needed a retry; all as it should be. */
const fill = () =>
  run(`
    insert into accounts (id, name, webhook_secret_sealed) values ('${accountId}', 'Audited', 'x'), ('acc_other', 'Other', 'x');
    insert into gateways (id, account_id, direction, name, sip_region, address, transport)
      values ('gw_1', '${accountId}', 'outbound', 'Trunk', 'default', 'sip.example.com', 'tls');
    insert into dialer_processes (id, host, pid, lease_until) values ('${dialer}', 'here', 1, now() + interval '1 hour');
    insert into batches (id, account_id, name, number_id, from_number, rule_id, gateway_id, agent_id, status, timing, timezone,
        starts_at, started_at, completed_at, calls_per_workflow, created_at, webhook_endpoint, webhook_events)
      values ('batch_1', '${accountId}', 'Batch', 'num_1', '+15550100001', 'rule_1', 'gw_1', 'agent_1', 'completed', 'immediate',
        'UTC', now() - interval '3 hours', now() - interval '3 hours', now() - interval '1 hour', 1, now() - interval '3 hours',
        'https://example.com/hook', '{batchcall-completed}');
    insert into batch_counters (batch_id, answered, attempts) values ('batch_1', 2, 3);
    insert into webhook_deliveries (id, account_id, batch_id, event, endpoint, payload)
      values ('whd_1', '${accountId}', 'batch_1', 'batchcall-completed', 'https://example.com/hook', '{}');
    insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, status, attempts_made,
        created_at, ended_at)
      values ('${answeredTwice}', '${accountId}', 'batch_1', 0, '+15550100010', '+15550100001', 'rule_1', 'gw_1', 'answered', 2,
          now() - interval '3 hours', now() - interval '1 hour'),
        ('${answeredOnce}', '${accountId}', 'batch_1', 1, '+15550100011', '+15550100001', 'rule_1', 'gw_1', 'answered', 1,
          now() - interval '3 hours', now() - interval '2 hours');
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, phase, invite, due_at, claimed_by,
        dialed_at, ended_at, outcome, next_attempt_at, reported_at)
      values ('${answeredTwice}', 1, '${accountId}', 'batch_1', 'gw_1', '+15550100010', 'ended', 1, now() - interval '2 hours',
          '${dialer}', now() - interval '2 hours', now() - interval '119 minutes', 'rejected', now() - interval '90 minutes', now()),
        ('${answeredTwice}', 2, '${accountId}', 'batch_1', 'gw_1', '+15550100010', 'ended', 1, now() - interval '90 minutes',
          '${dialer}', now() - interval '89 minutes', now() - interval '88 minutes', 'answered', null, now()),
        ('${answeredOnce}', 1, '${accountId}', 'batch_1', 'gw_1', '+15550100011', 'ended', 1, now() - interval '2 hours',
          '${dialer}', now() - interval '2 hours', now() - interval '119 minutes', 'answered', null, now());
    insert into figure_changes (account_id, batch_id, day, hour, attempt, status, reason, sip_status_code, answered_by,
        phone_number, calls, attempts, answered, human, machine, talk_ms)
      select '${accountId}', 'batch_1', f.* from counted_figures('${accountId}', 'batch_1') f;
    insert into timeline (account_id, batch_id, step, at, dialed, answered, ended)
      select '${accountId}', 'batch_1', s.step, start_of_step(t.at, s.step), sum(t.dialed), sum(t.answered), sum(t.ended)
      from counted_timeline('${accountId}', 'batch_1') t cross join (values (60), (3600), (86400)) s (step) group by 3, 4`);

const audited = (isRunning: (id: string) => boolean = () => true): Promise<AuditReport> =>
  audit(
    database.db,
    { accountId: null, since: null },
    { deliveriesSince: null, isRunning: (id) => Promise.resolve(isRunning(id)) },
  );

const wrong = ({ invariants }: AuditReport): string[] =>
  invariants.filter(({ violations }) => violations > 0).map(({ name }) => name);

test('a database in which all is as it should be is found clean', async () => {
  await run(live(dialer, ['+15550100012']));
  const report = await audited();
  expect(wrong(report)).toEqual([]);
  expect(report).toMatchObject({ clean: true, batches: 1, calls: 3 });
});

test('a number within its limits, a batch that has stopped and a campaign that ran are found clean', async () => {
  await run(`${limited} ${stopped} ${campaign}
    insert into campaign_recipients (campaign_id, account_id, phone_number, input, byte_size)
      values ('camp_1', '${accountId}', '+15550100012', '{}', 2)`);
  expect(wrong(await audited())).toEqual([]);
});

test('lines that a gateway leaves batches are judged since it does, and stops since the batch has the condition', async () => {
  const together = `update call_attempts set dialed_at = now() - interval '119 minutes' - interval '10 seconds',
    ended_at = now() - interval '100 minutes' where number = 1;`;
  await run(`${together} ${reserving(2)} update audit_log set at = now()`);
  expect(wrong(await audited()).filter((name) => name === 'reserved-lines')).toEqual([]);
  // One after the other on one line, and a line more for the batch.
  await run(`update gateways set max_concurrent_calls = 3; update audit_log set at = now() - interval '5 days'`);
  expect(wrong(await audited()).filter((name) => name === 'reserved-lines')).toEqual([]);
  await run(`update batches set stop_after_answered = 1;
    insert into audit_log (account_id, action, target, details, at)
      values ('${accountId}', 'batch-call.update', 'batch_1', '{"fields":["stopAfter"]}', now())`);
  expect(wrong(await audited()).filter((name) => name === 'stops')).toEqual([]);
});

test('limits of a number that were set after its calls say nothing about them', async () => {
  await run(`${limited} update counted_numbers set max_calls_per_day = 1, min_seconds_between_calls = 3600;
    update audit_log set at = now()`);
  expect(wrong(await audited())).toEqual([]);
});

test('a call that was hung up before anything was heard of its INVITE says nothing about the limits of its number', async () => {
  const tooSoon = `${limited} update counted_numbers set min_seconds_between_calls = 60;
    update call_attempts set dialed_at = dialed_at - interval '59 seconds' where call_id = '${answeredOnce}';`;
  await run(`${tooSoon} update call_attempts
    set outcome = 'abandoned', reason = 'ended_by_api', ringing_at = null, answered_at = null, sip_status_code = null
    where call_id = '${answeredOnce}'`);
  expect(wrong(await audited())).not.toContain('number-limits');
});

test('a database whose dialers are at work is found clean, however often it is looked at', async () => {
  const testEnv = await dialerTestEnv({ speed: 20 });
  try {
    const { db } = testEnv.database;
    const gateway = await testEnv.gateway({ callsPerSecond: 50, maxConcurrentCalls: 10 });
    const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), [
      ...numbersEndingIn(1, 20),
      ...numbersEndingIn(7, 20, 200),
    ]);
    await Promise.all([testEnv.dialer(), testEnv.dialer()]);
    const reports: AuditReport[] = [];
    await until(async () => {
      reports.push(
        await audit(
          db,
          { accountId: testEnv.accountId, since: new Date(Date.now() - 600_000) },
          { deliveriesSince: null, isRunning: () => Promise.resolve(true) },
        ),
      );
      const open = await db.selectFrom('calls').select('id').where('settled', '=', false).execute();
      return open.length === 0;
    });
    expect(reports.flatMap(wrong)).toEqual([]);
    expect(reports.at(-1)?.calls).toBe(ids.length);
  } finally {
    await testEnv.close();
  }
});

test.for(breaks)('the audit finds %s', async ([, name, how, id]) => {
  await run(how);
  const report = await audited();
  expect(report.clean).toBe(false);
  const invariant = report.invariants.find((each) => each.name === name);
  expect(invariant?.violations).toBeGreaterThan(0);
  expect(invariant?.examples.map((example) => example.id)).toContain(id);
});

test('calling hours that were set after a call say nothing about it', async () => {
  await run(`
    insert into guardrails (account_id, updated_at, calling_hours)
      values ('${accountId}', now(), json_build_object('from', '00:00', 'until', '24:00', 'daysOfWeek',
        json_build_array(extract(isodow from (now() - interval '4 days') at time zone 'UTC'))))`);
  expect(wrong(await audited())).toEqual([]);
});

test('the audit finds open calls that no workflow has in its hands, and batches without one', async () => {
  await run(`
    update batches set status = 'running', completed_at = null;
    update calls set status = 'retrying', next_attempt_at = now() - interval '10 minutes' where id = '${answeredOnce}';
    insert into calls (id, account_id, to_number, from_number, rule_id, gateway_id, created_at)
      values ('01900000-0000-7000-8000-0000000000c0', '${accountId}', '+15550100012', '+15550100001', 'rule_1', 'gw_1',
        now() - interval '1 hour')`);
  const examples = async (isRunning: (id: string) => boolean) => {
    const { invariants } = await audited(isRunning);
    return invariants.find(({ name }) => name === 'workflows')?.examples.map(({ id }) => id);
  };
  const single = 'call_01900000-0000-7000-8000-0000000000c0';
  expect(await examples(() => false)).toEqual(['batch_1', single]);
  // Its turn may not have come: the workflow of the batch will start the one that carries it.
  expect(await examples((id) => id === 'batch_1' || id === single)).toEqual([single]);
  expect(await examples((id) => id.startsWith('batch_1'))).toEqual([`call_${answeredOnce}`, single]);
});

test('an audit of one account, or of what was made since, looks at nothing else', async () => {
  await run(`update batch_counters set answered = 1`);
  const look = (accountId: string | null, since: Date | null) =>
    audit(database.db, { accountId, since }, { deliveriesSince: null, isRunning: null });
  expect(wrong(await look(accountId, null))).toEqual(['batch-counters']);
  expect(wrong(await look('acc_other', null))).toEqual([]);
  expect(wrong(await look(null, new Date(Date.now() - 60_000)))).toEqual([]);
});

test('an audit writes nothing: it works in a database that refuses every change', async () => {
  const name = new URL(testing.url).pathname.slice(1);
  await run(`alter database ${name} set default_transaction_read_only = on`);
  const reader = openDatabase({ url: testing.url, poolSize: 2, name: 'test' });
  try {
    await expect(sql`update batch_counters set answered = 1`.execute(reader.db)).rejects.toThrow('read-only');
    const report = await audit(
      reader.db,
      { accountId: null, since: null },
      { deliveriesSince: null, isRunning: () => Promise.resolve(true) },
    );
    expect(report.clean).toBe(true);
  } finally {
    await reader.close();
  }
});

test('the command says what is wrong, in words or as JSON, and its exit code is 0, 1 or 2', async () => {
  const said: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void said.push(text));
  const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubEnv('OUTDIAL_DATABASE_URL', testing.url);
  vi.stubEnv('TEMPORAL_ADDRESS', '127.0.0.1:1');
  const command = async (...args: string[]) => {
    said.length = 0;
    const program = new Command().exitOverride();
    auditCommands(program);
    await program.parseAsync(['node', 'outdial', 'audit', ...args]);
    const { exitCode } = process;
    process.exitCode = undefined;
    return exitCode;
  };
  try {
    expect(await command()).toBe(0);
    expect(said.join('\n')).toContain('Nothing is wrong');
    expect(said.join('\n')).toContain('not looked at, Temporal cannot be reached');
    await run(`update batch_counters set answered = 1`);
    expect(await command('--since', '7d')).toBe(1);
    expect(said.join('\n')).toContain('batch_1: answered is kept as 1 and counted as 2');
    expect(await command('--json', '--account', accountId)).toBe(1);
    expect(JSON.parse(said.join('\n'))).toMatchObject({ clean: false });
    expect(await command('--account', 'acc_nobody')).toBe(2);
    vi.stubEnv('OUTDIAL_DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
    expect(await command()).toBe(2);
  } finally {
    process.exitCode = undefined;
    log.mockRestore();
    complain.mockRestore();
    vi.unstubAllEnvs();
  }
});

import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { v7 as uuid } from 'uuid';
import { openDatabase, type Database, type Db } from '../../../db/client.js';
import { type BatchChange, changeBatch, type ChangeResult } from '../../../db/queries/batches/change.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { numberTimeZones } from '../../../contacts/number-time-zones.js';
import { type DialerOptions, startDialer } from '../../../dialer/dialer.js';
import type { OpenSecret } from '../../../dialer/order.js';
import type { PreDial } from '../../../domain/batch/pre-dial.js';
import { formatId } from '../../../domain/ids.js';
import { noOperatorLimits, type OperatorLimits } from '../../../domain/account/operator-limits.js';
import { timeZonesOf } from '../../../domain/phone/phone-time-zones.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import type { CallProvider } from '../../../telephony/provider.js';
import { createSimulatorProvider } from '../../../telephony/simulator/driver.js';
import type { LedgerLine } from '../../../telephony/simulator/ledger.js';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../../telephony/simulator/start.js';
import { testDatabase } from '../../setup/database.js';
import { createGuardedFetch } from '../../../platform/outbound-url.js';
import { insertAccount, insertLiveAgent } from '../../../bench/live-agent.js';

export type Told = readonly [callId: string, attempt: number, nextAttemptAt: string | null];

/** An account with a live agent, on a database and a simulated carrier of its own; tests play the workflows. */
export interface DialerTestEnv {
  readonly database: Database;
  readonly carrier: Simulator;
  readonly accountId: string;
  /** What workflows were told, in order. */
  readonly told: Told[];
  /** Another account with a live agent: what it has begins with a gateway of its own. */
  otherAccount(): Promise<string>;
  /** @param settings.accountId whose it is; omitted: that of the account above */
  gateway(settings?: { callsPerSecond?: number; maxConcurrentCalls?: number; accountId?: string }): Promise<Gateway>;
  batch(gateway: Gateway, settings?: BatchSettings): Promise<string>;
  /** What PATCH commits. */
  change(batchId: string, to: BatchChange): Promise<ChangeResult>;
  /** Calls with a queued first attempt each. @returns their ids, in the order of the numbers */
  calls(gateway: Gateway, batchId: string | null, numbers: readonly string[]): Promise<string[]>;
  queue(callId: string, attempt: number, dueAt?: Date): Promise<void>;
  /** The claim under which a call's attempt is held. */
  claimOf(callId: string, attempt?: number): Promise<string>;
  /** @param over what lies between this dialer and its database */
  dialer(
    provider?: CallProvider,
    leaseSeconds?: number,
    over?: (db: Db) => Db,
    openSecret?: OpenSecret,
  ): Promise<TestDialer>;
  provider(): CallProvider;
  ledger(): LedgerLine[];
  close(): Promise<void>;
}

export interface TestDialer {
  processId(): string;
  trouble(): string | null;
  close(): Promise<void>;
}

export interface Gateway {
  readonly id: string;
  readonly accountId: string;
  readonly agentId: string;
  readonly ruleId: string;
  readonly e164: string;
}

export interface BatchSettings {
  readonly retryOn?: readonly string[];
  readonly retryDelaysSeconds?: readonly number[];
  readonly maxConcurrentCalls?: number;
  readonly preDial?: PreDial;
  /** What PATCH changes before it has calls. */
  readonly changed?: BatchChange;
}

/**
 * Dialers for tests of the order in which INVITEs leave: none is late and waits for another slot because this machine is slow. A
 * third of a gateway's calls per second is left.
 */
export const inOrder = { leastPatienceMs: 2_000 } as const;

/** @param limits what the operator allows at most */
export async function dialerTestEnv(
  simulator: Partial<SimulatorOptions> = {},
  limits: Partial<OperatorLimits> = {},
  patience: Pick<DialerOptions, 'leastPatienceMs'> = {},
): Promise<DialerTestEnv> {
  const operatorLimits = { ...noOperatorLimits, ...limits };
  const testing = await testDatabase();
  const database = openDatabase({ url: testing.url, poolSize: 6, name: 'test', operatorLimits });
  const { db } = database;
  const ledgerPath = join(temporaryFolder('ledger'), 'ledger.jsonl');
  const carrier = await startSimulator({ ledgerPath, speed: 50, ...simulator });
  const accountId = formatId('account', uuid());
  const told: Told[] = [];
  const closers: (() => Promise<void>)[] = [];
  // Endpoints of clients are on this machine.
  const fetchOutside = createGuardedFetch({ allowPrivate: true, allowInsecure: true });
  closers.push(() => fetchOutside.close());
  let numbersMade = 0;

  const agents = new Map<string, string>();
  const addAccount = async (id: string, name: string) => {
    await insertAccount(db, id, name);
    const { agentId } = await insertLiveAgent(db, id);
    agents.set(id, agentId);
    return id;
  };
  await addAccount(accountId, 'Test');

  const change: DialerTestEnv['change'] = (batchId, to) =>
    db
      .transaction()
      .execute((tx) => changeBatch(tx, accountId, batchId, to, { now: new Date(), unscheduledZone: 'UTC' }));

  const provider = () => {
    const made = createSimulatorProvider({ url: carrier.url });
    closers.push(() => made.close());
    return made;
  };

  return {
    database,
    carrier,
    accountId,
    told,
    provider,
    otherAccount: () => addAccount(formatId('account', uuid()), `Other ${agents.size}`),
    async gateway({ callsPerSecond = 100, maxConcurrentCalls = 100, accountId: owner = accountId } = {}) {
      const agentId = agents.get(owner) ?? '';
      const id = formatId('outboundGateway', uuid());
      const ruleId = formatId('rule', uuid());
      const numberId = formatId('number', uuid());
      numbersMade++;
      const e164 = `+1555010${String(numbersMade).padStart(4, '0')}`;
      await db.insertInto('phone_numbers').values({ id: numberId, account_id: owner, e164, name: 'Line' }).execute();
      await db
        .insertInto('gateways')
        .values({
          ...{ id, account_id: owner, direction: 'outbound', name: 'Trunk', sip_region: 'default' },
          ...{ address: 'sip.example.com', transport: 'tls', calls_per_second: callsPerSecond },
          max_concurrent_calls: maxConcurrentCalls,
        })
        .execute();
      await db.insertInto('gateway_admission').values({ gateway_id: id, account_id: owner }).execute();
      await db
        .insertInto('routing_rules')
        .values({ id: ruleId, account_id: owner, type: 'outbound', name: 'Rule', agent_id: agentId })
        .execute();
      return { id, accountId: owner, agentId, ruleId, e164 };
    },
    change,
    async batch(gateway, settings = {}) {
      const id = formatId('batch', uuid());
      await db
        .insertInto('batches')
        .values({
          ...{ id, account_id: gateway.accountId, name: 'Batch', number_id: 'num_x', from_number: gateway.e164 },
          ...{
            rule_id: gateway.ruleId,
            gateway_id: gateway.id,
            agent_id: gateway.agentId,
            status: 'running',
            timing: 'immediate',
          },
          ...{ timezone: 'Asia/Calcutta', starts_at: new Date(), started_at: new Date(), calls_per_workflow: 1 },
          retry_enabled: settings.retryOn !== undefined,
          retry_on: [...(settings.retryOn ?? [])],
          retry_delays_seconds: [...(settings.retryDelaysSeconds ?? [])],
          max_concurrent_calls: settings.maxConcurrentCalls ?? null,
          pre_dial: settings.preDial === undefined ? null : JSON.stringify(settings.preDial),
        })
        .execute();
      await db.insertInto('batch_counters').values({ batch_id: id }).execute();
      if (settings.changed !== undefined) await change(id, settings.changed);
      return id;
    },
    async calls(gateway, batchId, numbers) {
      const calls = numbers.map((to_number, position) => ({
        ...{
          id: uuid(),
          account_id: gateway.accountId,
          batch_id: batchId,
          position,
          to_number,
          agent_id: gateway.agentId,
        },
        ...{ from_number: gateway.e164, rule_id: gateway.ruleId, gateway_id: gateway.id },
      }));
      await db.insertInto('calls').values(calls).execute();
      if (batchId !== null) {
        await db
          .updateTable('batch_counters')
          .set((eb) => ({ pending: eb('pending', '+', calls.length) }))
          .where('batch_id', '=', batchId)
          .execute();
      }
      await db
        .insertInto('call_attempts')
        .values(
          calls.map((call) => ({
            ...{
              call_id: call.id,
              number: 1,
              account_id: gateway.accountId,
              batch_id: batchId,
              gateway_id: gateway.id,
            },
            ...{ position: call.position, to_number: call.to_number, due_at: new Date(Date.now() - 1000) },
          })),
        )
        .execute();
      await wakeGateways(db, [gateway.id]);
      return calls.map((call) => call.id);
    },
    async queue(callId, attempt, dueAt = new Date()) {
      const call = await db.selectFrom('calls').selectAll().where('id', '=', callId).executeTakeFirstOrThrow();
      await db
        .insertInto('call_attempts')
        .values({
          ...{ call_id: callId, number: attempt, account_id: call.account_id, batch_id: call.batch_id, due_at: dueAt },
          ...{ gateway_id: call.gateway_id, position: call.position ?? 0, to_number: call.to_number },
        })
        .execute();
      await wakeGateways(db, [call.gateway_id]);
    },
    async claimOf(callId, attempt = 1) {
      const row = await db
        .selectFrom('call_attempts')
        .select('claim_id')
        .where('call_id', '=', callId)
        .where('number', '=', attempt)
        .executeTakeFirstOrThrow();
      return row.claim_id ?? '';
    },
    async dialer(withProvider = provider(), leaseSeconds = 15, over = (db) => db, openSecret = (sealed) => sealed) {
      const own = openDatabase({ url: testing.serviceUrl, poolSize: 6, name: 'dialer', operatorLimits });
      const dialer = await startDialer({
        database: { ...own, db: over(own.db) },
        provider: withProvider,
        openSecret,
        fetchOutside,
        zonesOfNumber: (number) => timeZonesOf(number, numberTimeZones()),
        tell: async (_workflowId, ended) => {
          told.push(...ended);
          return 'taken';
        },
        logger: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
        leaseSeconds,
        ...patience,
      });
      let closed = false;
      const close = async () => {
        if (closed) return;
        closed = true;
        await dialer.close();
        await own.close();
      };
      closers.unshift(close);
      return { processId: () => dialer.processId, trouble: () => dialer.trouble(), close };
    },
    // The last line may be half written.
    ledger: () =>
      readFileSync(ledgerPath, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as LedgerLine),
    async close() {
      for (const close of closers) await close();
      await carrier.stop();
      await database.close();
      await testing.close();
    },
  };
}

/** Waits until the condition holds; the test's own time limit ends it. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Distinct numbers that end in this digit and whose last two digits differ. */
export const numbersEndingIn = (digit: number, count: number, start = 0): string[] =>
  Array.from({ length: count }, (_, i) => `+1555${String(start + i).padStart(5, '0')}${(digit + 1) % 10}${digit}`);

/** A zone in which it is about noon, so that no day of a number ends during a test. */
export function noonZone(now = new Date()): string {
  const hours = 12 - now.getUTCHours();
  return `Etc/GMT${hours < 0 ? '+' : '-'}${Math.abs(hours)}`; // east of Greenwich has a minus
}

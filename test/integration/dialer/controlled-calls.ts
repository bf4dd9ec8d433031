import { auditBatch } from '../../../db/queries/audit/batches.js';
import { abandonCall, lockCall, orderHangUp, requestTransfer } from '../../../db/queries/calls/control.js';
import type { OperatorLimits } from '../../../domain/account/operator-limits.js';
import type { TransferMode } from '../../../domain/call/warm-transfer.js';
import type { SimulatorOptions } from '../../../telephony/simulator/start.js';
import { dialerTestEnv, until, type DialerTestEnv, type Gateway } from './test-env.js';

const forLong = { kind: 'answer', answerAfterSeconds: 0, talkSeconds: 100_000 } as const;
const rings = { kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 100_000 } as const;
export const talker = '+15550100120';
export const ringer = '+15550100130';
export const takes = '+15550100140';
export const busy = '+15550100151';
export const thirty = Array.from({ length: 30 }, (_, index) => `+15550101${String(index).padStart(3, '0')}0`);

/** A dialer's calls that are ended, transferred and looked at as the API does it. */
export type ControlledCalls = Awaited<ReturnType<typeof controlledCalls>>;

/**
 * @param settings of the gateway
 * @param limits what the operator allows at most
 */
export async function controlledCalls(
  settings: { callsPerSecond?: number; maxConcurrentCalls?: number } = {},
  limits: Partial<OperatorLimits> = {},
) {
  const talking = Object.fromEntries([talker, ...thirty].map((number) => [number, [forLong]]));
  const scenario: SimulatorOptions['scenario'] = {
    numbers: { ...talking, [ringer]: [rings], [takes]: [{ kind: 'answer' }] },
  };
  const testEnv: DialerTestEnv = await dialerTestEnv({ scenario }, limits);
  const gateway: Gateway = await testEnv.gateway(settings);

  const rowsOf = async <Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> =>
    (await testEnv.database.pool.query<Row>(statement, values)).rows;
  const callOf = async (id: string) =>
    (
      await rowsOf<{ status: string; reason: string | null }>('select status, reason from calls where id = $1', [id])
    )[0]!;
  const phaseOf = async (id: string): Promise<string | undefined> =>
    (
      await rowsOf<{ phase: string }>('select phase from call_attempts where call_id = $1 order by number desc', [id])
    )[0]?.phase;
  const ledgerOf = (id: string, event: string) =>
    testEnv.ledger().filter((line) => line.callId === id && line.event === event);

  /** As POST /end does it. */
  const end = (id: string) =>
    testEnv.database.db.transaction().execute(async (tx) => {
      const call = await lockCall(tx, testEnv.accountId, id);
      if (call === null || call.settled) return 'over';
      if (await orderHangUp(tx, id, 'ended_by_api')) return 'hung up';
      await abandonCall(tx, call, 'ended_by_api');
      return 'abandoned';
    });
  /** The same, and waits until the carrier has ended it. */
  const endWhole = async (id: string): Promise<void> => {
    await end(id);
    await until(async () => (await phaseOf(id)) === 'ended');
  };
  /** Where the figures of a batch, of each dimension, or the days of the account do not say the same as its attempts. */
  const wrongFigures = async (batchId: string) => {
    const figures = (await auditBatch(testEnv.database.db, { accountId: testEnv.accountId, id: batchId }, null)).filter(
      (each) => each.invariant === 'figures',
    );
    const days = await rowsOf(
      `select * from
         (select coalesce(sum(cost), 0) as cost, coalesce(sum(unpriced), 0) as unpriced from usage_days where account_id = $1) kept,
         (select coalesce(sum(cost), 0) as cost, count(*) filter (where unpriced) as unpriced from call_attempts where account_id = $1) made
       where (kept.cost, kept.unpriced) is distinct from (made.cost, made.unpriced)`,
      [testEnv.accountId],
    );
    return [...figures, ...days];
  };
  const transfer = (id: string, to: string, mode: TransferMode = 'cold') =>
    testEnv.database.db.transaction().execute(async (tx) => {
      await lockCall(tx, testEnv.accountId, id);
      return requestTransfer(tx, testEnv.accountId, id, to, mode);
    });
  /** Two requests of which the dialer sees nothing before both are answered. */
  const transferTwice = (id: string, first: string, second: string) =>
    testEnv.database.db.transaction().execute(async (tx) => {
      await lockCall(tx, testEnv.accountId, id);
      const answers = [await requestTransfer(tx, testEnv.accountId, id, first)];
      return [...answers, await requestTransfer(tx, testEnv.accountId, id, second)];
    });
  const transferOf = async (id: string) =>
    (
      await rowsOf<{ status: string; sip_status_code: number | null; message: string | null }>(
        'select status, sip_status_code, message from call_transfers where call_id = $1 order by id desc',
        [id],
      )
    )[0];

  async function aCall(to: string, phase: string, batchId: string | null = null): Promise<string> {
    const [id] = await testEnv.calls(gateway, batchId, [to]);
    await until(async () => (await phaseOf(id!)) === phase);
    return id!;
  }

  return {
    ...{ testEnv, gateway, rowsOf, callOf, phaseOf, ledgerOf },
    ...{ end, endWhole, wrongFigures, transfer, transferTwice, transferOf, aCall },
  };
}

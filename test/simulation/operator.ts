import type { Database } from '../../db/client.js';
import { resumeAccount, suspendAccount } from '../../db/queries/accounts/suspension.js';
import { changeBatch, type BatchChange } from '../../db/queries/batches/change.js';
import { pauseBatch, requestCancel, resumeBatch } from '../../db/queries/batches/control.js';
import { abandonCall, lockCall, orderHangUp } from '../../db/queries/calls/control.js';
import { addToDoNotCallList, removeFromDoNotCallList } from '../../db/queries/accounts/do-not-call.js';
import { applyAtOnce, lockGateway, updateGateway } from '../../db/queries/telephony/gateways-change.js';
import { setNumberLimits, type NumberLimits } from '../../db/queries/telephony/number-limits.js';
import { takeDialingLock } from '../../db/queries/dialer/dialing-lock.js';
import { putGuardrails } from '../../db/queries/accounts/guardrails.js';
import { dialingGateways, resumeDialing, stopDialing } from '../../db/queries/dialer/stop-dialing.js';
import { stopWaitingCalls } from '../../db/queries/calls/stop-waiting.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import type { CallingWindow } from '../../domain/call/calling-window.js';
import type { CancelMode } from '../../domain/batch/batch-call.js';
import { defaultGuardrails } from '../../domain/account/guardrails.js';
import type { Forbidden, Order } from './judge.js';
import type { GuardedHours } from './judge-hours.js';
import type { CallingNumber } from './judge-numbers.js';
import type { Workflows } from './workflows.js';
import { createRecipientOrders, type RecipientOrders } from './recipient-orders.js';
import { accountId, announceAgents, zoneOfNumbers, type GatewayLimits } from './setting.js';

/** Orders that the API and the operator's commands take, carried out by the same queries. None is repeated if it fails. */
export interface Operator {
  readonly recipients: RecipientOrders;
  cancel(batch: string, mode: CancelMode): Promise<void>;
  pause(batch: string): Promise<void>;
  resume(batch: string): Promise<void>;
  optOut(e164: string): Promise<void>;
  optIn(e164: string): Promise<void>;
  stop(hangUp: boolean): Promise<void>;
  goOn(): Promise<void>;
  suspend(hangUp: boolean): Promise<void>;
  unsuspend(): Promise<void>;
  endCall(callId: string): Promise<void>;
  moveWindow(batch: string, window: CallingWindow | null): Promise<void>;
  limitGateway(gateway: string, limits: GatewayLimits): Promise<void>;
  limitBatch(batch: string, most: number | null): Promise<void>;
  guard(hours: GuardedHours): Promise<void>;
  limitNumber(number: CallingNumber, limits: NumberLimits): Promise<void>;
  agents(slots: number): Promise<void>;
}

export interface OperatorDeps {
  readonly database: Database;
  readonly judge: Order;
  readonly workflows: Workflows;
  /** The step of the simulation, and its clock. */
  readonly step: () => number;
  readonly nowMs: () => number;
}

export function createOperator(deps: OperatorDeps): Operator {
  const {
    database: { db },
    judge,
    workflows,
    step,
    nowMs,
  } = deps;
  const underWay = new Set<string>();

  /** One after the other: of two orders under way, it would be unknown which one holds. */
  async function alone(what: string, order: () => Promise<void>): Promise<void> {
    if (underWay.has(what)) return;
    underWay.add(what);
    await order().finally(() => underWay.delete(what));
  }

  async function wakeAll(): Promise<void> {
    await wakeGateways(db, await dialingGateways(db, accountId));
  }

  const forbid = (what: Forbidden, order: () => Promise<unknown>) =>
    alone(`${what.kind} ${what.id}`, async () => {
      await order();
      judge.forbid(what, step());
    });

  const allow = (what: Forbidden, order: () => Promise<unknown>) =>
    alone(`${what.kind} ${what.id}`, async () => {
      judge.forbid(what, undefined);
      await order();
      await wakeAll();
    });

  const change = (batch: string, wanted: BatchChange) =>
    db
      .transaction()
      .execute((tx) => changeBatch(tx, accountId, batch, wanted, { now: new Date(), unscheduledZone: 'UTC' }));

  return {
    recipients: createRecipientOrders(deps, alone),
    async cancel(batch, mode) {
      judge.recipients.mayEnd(batch);
      try {
        const done = await db.transaction().execute((tx) => requestCancel(tx, accountId, batch, mode));
        if (done === 'done') judge.forbid({ kind: 'batch', id: batch }, step());
      } finally {
        workflows.reconsider(batch);
      }
    },
    pause: (batch) =>
      alone(`paused ${batch}`, async () => {
        const done = await db.transaction().execute((tx) => pauseBatch(tx, accountId, batch));
        if (done === 'done') judge.forbid({ kind: 'paused', id: batch }, step());
      }),
    resume: (batch) =>
      allow({ kind: 'paused', id: batch }, () => db.transaction().execute((tx) => resumeBatch(tx, accountId, batch))),
    optOut: (e164) =>
      alone(`number ${e164}`, async () => {
        await db.transaction().execute((tx) => addToDoNotCallList(tx, accountId, [e164], null));
        judge.forbid({ kind: 'number', id: e164 }, step());
        await stopWaitingCalls(db, accountId, [e164]);
        workflows.reloadAll();
      }),
    optIn: (e164) =>
      allow({ kind: 'number', id: e164 }, () =>
        db.transaction().execute((tx) => removeFromDoNotCallList(tx, accountId, e164)),
      ),
    stop: (hangUp) =>
      forbid({ kind: 'account', id: 'stopped' }, () =>
        db.transaction().execute((tx) => stopDialing(tx, accountId, hangUp)),
      ),
    goOn: () =>
      allow({ kind: 'account', id: 'stopped' }, () => db.transaction().execute((tx) => resumeDialing(tx, accountId))),
    suspend: (hangUp) =>
      forbid({ kind: 'account', id: 'suspended' }, () =>
        db.transaction().execute((tx) => suspendAccount(tx, accountId, { reason: null, hangUp })),
      ),
    unsuspend: () =>
      allow({ kind: 'account', id: 'suspended' }, () => db.transaction().execute((tx) => resumeAccount(tx, accountId))),
    endCall: (callId) =>
      alone(`call ${callId}`, async () => {
        const call = await db.transaction().execute(async (tx) => {
          const locked = await lockCall(tx, accountId, callId);
          if (locked === null || locked.settled) return null;
          if (!(await orderHangUp(tx, callId, 'ended_by_api'))) await abandonCall(tx, locked, 'ended_by_api');
          return locked;
        });
        if (call === null) return;
        judge.forbid({ kind: 'call', id: callId }, step());
        await wakeGateways(db, [call.gatewayId]);
      }),
    moveWindow: (batch, window) =>
      alone(`window ${batch}`, async () => {
        const held = judge.hours.windows.get(batch);
        held?.asked(window);
        try {
          if ((await change(batch, { callingWindow: window })) === 'done') held?.answered(window, step());
        } finally {
          workflows.reconsider(batch);
        }
      }),
    limitGateway: (gateway, { callsPerSecond, maxConcurrentCalls, reservedCalls }) =>
      alone(`limits ${gateway}`, async () => {
        judge.limits.asked(`rate ${gateway}`, callsPerSecond);
        judge.limits.asked(`live ${gateway}`, maxConcurrentCalls);
        judge.limits.asked(`batches ${gateway}`, maxConcurrentCalls - reservedCalls);
        await db.transaction().execute(async (tx) => {
          await lockGateway(tx, accountId, gateway);
          await updateGateway(tx, accountId, gateway, {
            ...{ calls_per_second: callsPerSecond, max_concurrent_calls: maxConcurrentCalls },
            reserved_calls: reservedCalls,
          });
        });
        for (const what of ['rate', 'live', 'batches'] as const) {
          judge.limits.answered(`${what} ${gateway}`, step(), nowMs());
        }
        await applyAtOnce(db, accountId, gateway);
        await wakeGateways(db, [gateway]);
      }),
    limitBatch: (batch, most) =>
      alone(`limits ${batch}`, async () => {
        judge.limits.asked(`live ${batch}`, most ?? Infinity);
        if ((await change(batch, { maxConcurrentCalls: most })) === 'done') {
          judge.limits.answered(`live ${batch}`, step(), nowMs());
        }
        await wakeAll();
      }),
    guard: (hours) =>
      alone('guardrails', async () => {
        const { callingHours, attemptsPerDay } = hours;
        judge.hours.guardrails.asked(hours);
        const guardrails = { ...defaultGuardrails, callingHours, maxAttemptsPerNumberPerDay: attemptsPerDay };
        await db.transaction().execute((tx) => putGuardrails(tx, accountId, guardrails));
        judge.hours.guardrails.answered(hours, step());
        await wakeAll();
        workflows.reconsiderAll();
      }),
    limitNumber: (number, limits) =>
      alone(`limits ${number.e164}`, async () => {
        judge.numbers.asked(number.e164, limits);
        await db.transaction().execute(async (tx) => {
          await takeDialingLock(tx, accountId);
          await setNumberLimits(tx, accountId, number, limits, zoneOfNumbers);
        });
        judge.numbers.answered(number.e164, limits, step());
        await wakeGateways(db, [number.gatewayId]);
      }),
    agents: (slots) =>
      alone('agents', async () => {
        judge.limits.asked('agents', slots);
        await announceAgents(db, slots);
        judge.limits.answered('agents', step(), nowMs());
      }),
  };
}

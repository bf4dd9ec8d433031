import type { Database } from '../../db/client.js';
import { changeBatch } from '../../db/queries/batch-change.js';
import { pauseBatch, requestCancel, resumeBatch } from '../../db/queries/batch-calls-control.js';
import { abandonCall, lockCall, orderHangUp } from '../../db/queries/call-control.js';
import { addToDoNotCallList } from '../../db/queries/do-not-call.js';
import { dialingGateways, resumeDialing, stopDialing } from '../../db/queries/stop-dialing.js';
import { stopWaitingCalls } from '../../db/queries/stop-waiting-calls.js';
import { wakeGateways } from '../../db/queries/wake-gateways.js';
import type { CallingWindow } from '../../domain/calling-window.js';
import type { CancelMode } from '../../domain/batch-call.js';
import type { Order } from './judge.js';
import type { Workflows } from './workflows.js';
import { accountId } from './world.js';

/** Orders that the API takes, carried out by the queries that its routes use. None is repeated where it fails. */
export interface Operator {
  cancel(batch: string, mode: CancelMode): Promise<void>;
  pause(batch: string): Promise<void>;
  resume(batch: string): Promise<void>;
  optOut(e164: string): Promise<void>;
  stop(hangUp: boolean): Promise<void>;
  goOn(): Promise<void>;
  endCall(callId: string): Promise<void>;
  moveWindow(batch: string, window: CallingWindow | null): Promise<void>;
}

/** @param step the step of the simulation at which an answer is given */
export function createOperator({ db }: Database, judge: Order, workflows: Workflows, step: () => number): Operator {
  const underWay = new Set<string>();

  /** One after the other: of two orders under way, nobody could say which one holds. */
  async function alone(what: string, order: () => Promise<void>): Promise<void> {
    if (underWay.has(what)) return;
    underWay.add(what);
    await order().finally(() => underWay.delete(what));
  }

  return {
    async cancel(batch, mode) {
      try {
        const done = await db.transaction().execute((tx) => requestCancel(tx, accountId, batch, mode));
        if (done === 'done') judge.forbid({ kind: 'batch', id: batch }, step());
      } finally {
        workflows.reconsider(batch);
      }
    },
    pause: (batch) =>
      alone(`pause ${batch}`, async () => {
        const done = await db.transaction().execute((tx) => pauseBatch(tx, accountId, batch));
        if (done === 'done') judge.forbid({ kind: 'paused', id: batch }, step());
      }),
    resume: (batch) =>
      alone(`pause ${batch}`, async () => {
        judge.forbid({ kind: 'paused', id: batch }, undefined);
        await db.transaction().execute((tx) => resumeBatch(tx, accountId, batch));
        await wakeGateways(db, await dialingGateways(db, accountId));
      }),
    async optOut(e164) {
      await db.transaction().execute((tx) => addToDoNotCallList(tx, accountId, [e164], null));
      judge.forbid({ kind: 'number', id: e164 }, step());
      await stopWaitingCalls(db, accountId, [e164]);
      workflows.reloadAll();
    },
    stop: (hangUp) =>
      alone('stop', async () => {
        await db.transaction().execute((tx) => stopDialing(tx, accountId, hangUp));
        judge.forbid({ kind: 'account', id: 'all' }, step());
      }),
    goOn: () =>
      alone('stop', async () => {
        judge.forbid({ kind: 'account', id: 'all' }, undefined);
        await db.transaction().execute((tx) => resumeDialing(tx, accountId));
        await wakeGateways(db, await dialingGateways(db, accountId));
      }),
    async endCall(callId) {
      const call = await db.transaction().execute(async (tx) => {
        const locked = await lockCall(tx, accountId, callId);
        if (locked === null || locked.settled) return null;
        if (!(await orderHangUp(tx, callId, 'ended_by_api'))) await abandonCall(tx, locked, 'ended_by_api');
        return locked;
      });
      if (call === null) return;
      judge.forbid({ kind: 'call', id: callId }, step());
      await wakeGateways(db, [call.gatewayId]);
    },
    moveWindow: (batch, window) =>
      alone(`window ${batch}`, async () => {
        judge.window(batch, window, undefined);
        const change = { callingWindow: window };
        const at = { now: new Date(), unscheduledZone: 'UTC' };
        try {
          const done = await db.transaction().execute((tx) => changeBatch(tx, accountId, batch, change, at));
          if (done === 'done') judge.window(batch, window, step());
        } finally {
          workflows.reconsider(batch);
        }
      }),
  };
}

import type { Db } from '../../db/client.js';
import {
  addCalls,
  batchToGrow,
  growingStatuses,
  idsPresent,
  lockRecipients,
} from '../../db/queries/batches/add-recipients.js';
import { callRecordAgain } from '../../db/queries/batches/call-again.js';
import { changeBatch } from '../../db/queries/batches/change.js';
import { changeRecord } from '../../db/queries/batches/change-record.js';
import { closeBatch } from '../../db/queries/batches/control.js';
import { skipRecord } from '../../db/queries/batches/skip-record.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import type { OperatorDeps } from './operator.js';
import { accountId, numberAt, type PlannedCall } from './setting.js';

/** Orders about single recipients, and about batches that wait for more, carried out by the queries of the API. */
export interface RecipientOrders {
  /** Adds recipients to these numbers under ids that follow from `name`: a request that is repeated has the same. */
  add(batch: string, name: string, callees: readonly number[], notBeforeMs: number | null): Promise<void>;
  skip(call: PlannedCall): Promise<void>;
  notBefore(call: PlannedCall, ms: number | null): Promise<void>;
  callAgain(call: PlannedCall): Promise<void>;
  close(batch: string): Promise<void>;
  open(batch: string): Promise<void>;
}

export function createRecipientOrders(
  { database: { db }, judge, workflows, step, nowMs }: OperatorDeps,
  alone: (what: string, order: () => Promise<void>) => Promise<void>,
): RecipientOrders {
  const { recipients } = judge;
  /** What an order to one call has asked for is told to the workflows, whether or not its answer came. */
  const inTransaction = <T>(order: (tx: Db) => Promise<T>): Promise<T> =>
    db.transaction().execute(order).finally(workflows.kickOutbox);
  const nameOf = (callId: string): string => `call ${callId}`;

  return {
    async add(batch, name, callees, notBeforeMs) {
      const added = await inTransaction(async (tx) => {
        await lockRecipients(tx, accountId, batch);
        const grown = await batchToGrow(tx, accountId, batch);
        if (grown === null || !growingStatuses.includes(grown.status)) return null;
        const wanted = callees.map((callee, place) => ({ id: `${name}-${place}`, phoneNumber: numberAt(callee) }));
        const present = await idsPresent(
          tx,
          batch,
          wanted.map(({ id }) => id),
        );
        const missing = wanted.filter(({ id }) => !present.has(id));
        const notBefore = notBeforeMs === null ? {} : { notBefore: new Date(notBeforeMs).toISOString() };
        const calls = missing.map((recipient) => ({ ...recipient, metadataJson: '{}', ...notBefore }));
        if (missing.length > 0 && !(await addCalls(tx, grown, calls, { names: [], priorities: null }))) {
          throw new Error('the batch takes no more recipients');
        }
        const rows = await tx
          .selectFrom('calls')
          .select(['id', 'to_number as to', 'recipient_id as recipient'])
          .where('batch_id', '=', batch)
          .where(
            'recipient_id',
            'in',
            wanted.map(({ id }) => id),
          )
          .execute();
        const { retry_delays_seconds: retryDelaysSeconds } = await tx
          .selectFrom('batches')
          .select('retry_delays_seconds')
          .where('id', '=', batch)
          .executeTakeFirstOrThrow();
        const isNew = new Set<string | null>(missing.map(({ id }) => id));
        recipients.adding(
          rows
            .filter(({ recipient }) => isNew.has(recipient))
            .map(({ id, to }) => ({ callId: id, batch, to, retryDelaysSeconds })),
          notBeforeMs,
        );
        return wanted.map(({ id }) => id);
      });
      recipients.added(batch, added ?? []);
    },

    skip: ({ callId, batch }) =>
      alone(nameOf(callId), async () => {
        if (batch === null) return;
        const skip = await inTransaction((tx) => skipRecord(tx, accountId, batch, callId));
        if (skip.outcome !== 'skipped') return;
        judge.forbid({ kind: 'call', id: callId }, step());
        await wakeGateways(db, [skip.gatewayId]);
      }),

    notBefore: ({ callId, batch }, ms) =>
      alone(nameOf(callId), async () => {
        if (batch === null) return;
        const instant = recipients.notBefore(callId);
        const before = instant.at(Infinity);
        instant.asked(ms);
        const notBefore = ms === null ? null : new Date(ms).toISOString();
        const changed = await inTransaction((tx) =>
          changeRecord(tx, { accountId, batchId: batch, callId }, { notBefore }, new Date(nowMs())),
        );
        const [known] = before;
        if (changed.outcome === 'changed') instant.answered(ms, step());
        else if (before.length === 1 && known !== undefined) instant.answered(known, step());
        if (changed.outcome === 'changed') await wakeGateways(db, [changed.gatewayId]);
      }),

    callAgain: ({ callId, batch }) =>
      alone(nameOf(callId), async () => {
        if (batch === null) return;
        const answer = recipients.askedAgain(callId, nowMs());
        const forbidden = judge.forbid({ kind: 'call', id: callId }, undefined);
        const again = await inTransaction((tx) => callRecordAgain(tx, { accountId, batchId: batch, callId }));
        answer(again.outcome === 'queued');
        if (again.outcome === 'queued') await wakeGateways(db, again.gatewayIds);
        else if (forbidden !== undefined) judge.forbid({ kind: 'call', id: callId }, forbidden);
      }),

    async close(batch) {
      recipients.mayEnd(batch);
      await inTransaction((tx) => closeBatch(tx, accountId, batch));
    },

    async open(batch) {
      // Whether it ends before or after is not told: the judge expects nothing of it.
      const wanted = { now: new Date(nowMs()), unscheduledZone: 'UTC' };
      await inTransaction((tx) => changeBatch(tx, accountId, batch, { open: true }, wanted));
    },
  };
}

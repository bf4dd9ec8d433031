import type { Db } from '../../db/client.js';
import type { ControlResult } from '../../db/queries/batches/control.js';
import type { AuditedAction } from '../../domain/account/audited-resources.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import type { AppDeps, Caller } from '../operation.js';
import { batchCallDetailBody, batchCallNotFound, requireBatchCall } from './detail.js';

interface Order {
  readonly batchId: string;
  readonly action: AuditedAction;
  /** For whom it comes too late. */
  readonly tooLate: string;
  readonly details?: object;
  /** Makes the change, in the transaction of its audit entry. */
  apply(tx: Db): Promise<ControlResult>;
}

/**
 * Carries out an order to one batch and answers how the batch stands then.
 *
 * @throws Failure `not_found` if the account has no such batch, `conflict` if it is finished
 */
export async function control(deps: AppDeps, caller: Caller, order: Order) {
  const { db } = deps.database;
  const result = await db.transaction().execute(async (tx) => {
    const applied = await order.apply(tx);
    if (applied === 'done') await recordAudit(tx, caller, order.action, order.batchId, order.details);
    return applied;
  });
  if (result === 'unknown') throw batchCallNotFound();
  if (result === 'finished') throw conflict(order.tooLate);
  const row = await requireBatchCall(db, caller.accountId, order.batchId);
  return { row, body: batchCallDetailBody(row, deps), changed: result === 'done' };
}

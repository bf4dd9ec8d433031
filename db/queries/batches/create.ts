import type { BatchForm } from '../../../domain/batch/form.js';
import type { Db } from '../../client.js';
import { postgresFiles } from './files.js';
import { settingsColumns, startColumns } from './settings.js';
import { addToOutbox } from '../outbox.js';

/** Number, rule, gateway and agent of a batch. */
export interface BatchRoute {
  readonly numberId: string;
  readonly fromNumber: string;
  readonly gatewayId: string;
  readonly ruleId: string;
  readonly agentId: string;
}

export interface NewBatch {
  readonly accountId: string;
  readonly batchId: string;
  readonly form: BatchForm;
  readonly route: BatchRoute;
  readonly file: { readonly key: string; readonly sha256: string; readonly bytes: Buffer };
  /** Zone of a batch without a schedule. */
  readonly timezone: string;
  readonly simulated: boolean;
  readonly now: Date;
}

/** Stores a batch that is to be parsed, its file, and the order to start its workflow, in the caller's transaction. */
export async function insertBatchCall(tx: Db, batch: NewBatch): Promise<void> {
  const { accountId, batchId, form, route, file, now } = batch;
  await tx
    .insertInto('batches')
    .values({
      id: batchId,
      account_id: accountId,
      name: form.name,
      number_id: route.numberId,
      from_number: route.fromNumber,
      rule_id: route.ruleId,
      gateway_id: route.gatewayId,
      agent_id: route.agentId,
      status: 'parsing',
      ...startColumns(form.schedule, now, batch.timezone),
      ...settingsColumns(form),
      simulated: batch.simulated,
      created_at: now,
      updated_at: now,
    })
    .execute();
  const { filename, extension } = form;
  await postgresFiles(tx).put({ ...file, accountId, batchId, filename, extension });
  await addToOutbox(tx, { kind: 'start', name: 'batchCall', input: { accountId, batchId } });
}

import { gapIn } from '../../contacts/recipients-to-contacts.js';
import { timeZonesFinder } from '../../contacts/time-zones-finder.js';
import { maxMetadataBytes, metadataFits } from '../../domain/batch/metadata-size.js';
import type { Db } from '../../db/client.js';
import { agentTexts } from '../../db/queries/agents/texts.js';
import { type BatchToGrow, batchToGrow } from '../../db/queries/batches/add-recipients.js';
import { changeRecord, type RecordChanged } from '../../db/queries/batches/change-record.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { columnsSpoken } from '../../domain/agent-config/placeholders.js';
import { mostColumns } from '../../domain/batch/column-names.js';
import { readInstant } from '../../domain/batch/dialing-order.js';
import { RecipientChange } from '../../domain/batch/recipients.js';
import { conflict, type Problem } from '../../domain/errors.js';
import { isObject } from '../../domain/input/json-value.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { invalidRequest, valueAt } from '../validation.js';
import { batchCallNotFound } from './detail.js';
import { BatchRecord, callIdOfRecord, recordBody, recordParams, requireRecord, unknownRecord } from './record.js';

const tooManyNames = (message: string): Problem => ({ path: 'metadata', code: 'OUT_OF_RANGE', message });

function metadataProblems(body: unknown): Problem[] {
  const metadata = valueAt(body, ['metadata']);
  if (!isObject(metadata)) return [];
  const problems: Problem[] = [];
  if (!metadataFits(JSON.stringify(metadata))) {
    problems.push(tooManyNames(`must have at most ${maxMetadataBytes / 1024} KB as JSON`));
  }
  if (Object.keys(metadata).length > mostColumns) {
    problems.push(tooManyNames(`must have at most ${mostColumns} names`));
  }
  return problems;
}

const newMetadata = (metadata: Readonly<Record<string, unknown>>) => ({
  json: JSON.stringify(metadata),
  names: Object.keys(metadata),
  zonesOf: timeZonesFinder(),
});

/** Metadata must fill what the agent says, if the batch asks for that of its recipients. */
async function requireFilled(tx: Db, batch: BatchToGrow, metadata: Readonly<Record<string, unknown>>): Promise<void> {
  if (batch.onUnfilled !== 'reject') return;
  const gap = gapIn(metadata, columnsSpoken(await agentTexts(tx, batch.accountId, batch)));
  if (gap === undefined) return;
  const message = `is empty, and the agent says {{${gap}}}; fill it in`;
  throw invalidRequest([{ path: `metadata.${gap}`, code: 'REQUIRED', message }]);
}

const noZone =
  'must be an IANA time zone name, such as America/New_York, or be left out to have the clock of the number count';

/** @throws Failure `not_found`; `conflict` if it is too late */
function requireChanged(changed: RecordChanged): { readonly gatewayId: string } {
  switch (changed.outcome) {
    case 'changed':
      return changed;
    case 'unknown':
      throw unknownRecord();
    case 'live':
      throw conflict('The recipient is being called; a record can be changed before its first call');
    case 'dialed':
      throw conflict('The recipient has been called; a record can be changed before its first call');
    case 'settled':
      throw conflict('The recipient is not called any more');
    case 'over':
      throw conflict('The batch call is being cancelled or is finished');
    case 'too_many_names':
      throw invalidRequest([tooManyNames(`has a name too many: a batch call may have ${mostColumns} different names`)]);
    case 'unknown_zone':
      throw invalidRequest([{ path: 'metadata.timezone', code: 'INVALID_VALUE', message: noZone }]);
  }
}

/** PATCH /v1/batch-calls/{batchId}/records/{recordId} */
export const updateBatchRecord = operation({
  name: 'batchCalls.updateRecord',
  method: 'PATCH',
  url: '/v1/batch-calls/:batchId/records/:recordId',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Change a recipient',
    description:
      'One that was never called: its metadata, its `notBefore` and its `priority`, with the limits of a new recipient. ' +
      'Once this is answered, no call leaves by what was before. 409 while it is being called, and after.',
    params: recordParams,
    body: RecipientChange,
    bodyProblems: metadataProblems,
    response: { 200: BatchRecord },
    errors: [404, 409],
  },

  async handler({ params: { batchId, recordId }, body, caller }, { database: { db }, temporal, clock }) {
    const { accountId } = caller;
    const metadata = body.metadata === null ? {} : body.metadata;
    const change = {
      ...(metadata === undefined ? {} : { metadata: newMetadata(metadata) }),
      ...(body.notBefore === undefined
        ? {}
        : { notBefore: body.notBefore === null ? null : readInstant(body.notBefore) }),
      ...(body.priority === undefined ? {} : { priority: body.priority }),
    };
    const { gatewayId, record } = await db.transaction().execute(async (tx) => {
      const batch = await batchToGrow(tx, accountId, batchId);
      if (batch === null) throw batchCallNotFound();
      const callId = callIdOfRecord(recordId);
      const changed = requireChanged(await changeRecord(tx, { accountId, batchId, callId }, change, clock()));
      if (metadata !== undefined) await requireFilled(tx, batch, metadata);
      await recordAudit(tx, caller, 'batch-call.update-record', batchId, { recordId, fields: Object.keys(change) });
      return { ...changed, record: await requireRecord(tx, accountId, batchId, callId) };
    });
    temporal.kick();
    await wakeGateways(db, [gatewayId]);
    return { status: 200, body: recordBody(record) };
  },
});

import { v7 as uuidv7 } from 'uuid';
import { isFinished, noCalls, type BatchStatus } from '../../../domain/batch/batch-call.js';
import { settledStatuses, type RecordStatus } from '../../../domain/call/call.js';
import { formatId } from '../../../domain/ids.js';
import { here } from '../support.js';
import { aBatch, type BatchOptions, type Route } from './support.js';

export interface RecordOptions {
  readonly phoneNumber: string;
  readonly status?: RecordStatus;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly reason?: string;
  /** Of an answered one; default human. */
  readonly answeredBy?: 'human' | 'machine' | 'unknown';
  /** Its last attempt ended for good. */
  readonly permanent?: boolean;
}

/** A batch with these records, in this order, and a dialed attempt for each that is over. */
export async function aBatchOf(
  records: readonly RecordOptions[],
  options: BatchOptions & { readonly columns?: readonly string[] } = {},
): Promise<{ batchId: string; route: Route; callIds: readonly string[] }> {
  const counts = { ...noCalls };
  for (const { status = 'answered' } of records) counts[status] += 1;
  const status: BatchStatus = options.status ?? 'completed';
  const { batchId, route } = await aBatch({ ...options, status, counts });
  const { db } = here().database;
  const accountId = options.accountId ?? here().me.account.id;
  await db
    .updateTable('batches')
    .set({
      columns: [...(options.columns ?? ['phone_number', ...Object.keys(records[0]?.metadata ?? {})])],
      calls_per_workflow: 1,
      started_at: new Date(),
      completed_at: isFinished(status) ? new Date() : null,
    })
    .where('id', '=', batchId)
    .execute();
  const callIds = records.map(() => uuidv7());
  for (const [position, record] of records.entries()) {
    const callId = callIds[position]!;
    const { status: ended = 'answered' } = record;
    const over = settledStatuses.some((settled) => settled === ended) && ended !== 'cancelled';
    await db
      .insertInto('calls')
      .values({
        id: callId,
        account_id: accountId,
        batch_id: batchId,
        position,
        to_number: record.phoneNumber,
        from_number: route.phoneNumber,
        rule_id: route.ruleId,
        gateway_id: route.gatewayId,
        agent_id: route.agentId,
        status: ended,
        metadata: JSON.stringify(record.metadata ?? {}),
        attempts_made: over ? 1 : 0,
        reason: record.reason ?? null,
        talk_seconds: ended === 'answered' ? 42.5 : null,
        answered_by: ended === 'answered' ? (record.answeredBy ?? 'human') : null,
        sip_status_code: ended === 'answered' ? 200 : over ? 486 : null,
        transcript: ended === 'answered' ? JSON.stringify([{ speaker: 'callee', text: 'Hello' }]) : null,
      })
      .execute();
    if (!over) continue;
    await db
      .insertInto('call_attempts')
      .values({
        call_id: callId,
        number: 1,
        account_id: accountId,
        batch_id: batchId,
        gateway_id: route.gatewayId,
        position,
        to_number: record.phoneNumber,
        phase: 'ended',
        outcome: ended,
        permanent: record.permanent ?? false,
        due_at: new Date(),
        dialed_at: new Date('2027-03-01T04:00:07.120Z'),
        ended_at: new Date(),
        reported_at: new Date(),
      })
      .execute();
  }
  return { batchId, route, callIds };
}

/** A webhook delivery of a batch, made twice. */
export async function aDelivery(
  batchId: string,
  { status = 'delivered', event = 'batchcall-completed' }: { status?: string; event?: string } = {},
): Promise<string> {
  const { db } = here().database;
  const { account_id: accountId } = await db
    .selectFrom('batches')
    .select('account_id')
    .where('id', '=', batchId)
    .executeTakeFirstOrThrow();
  const id = formatId('webhookDelivery', uuidv7());
  await db
    .insertInto('webhook_deliveries')
    .values({
      id,
      account_id: accountId,
      batch_id: batchId,
      event,
      endpoint: 'https://example.com/hook',
      payload: '{}',
      status,
      delivered_at: status === 'delivered' ? new Date() : null,
    })
    .execute();
  await db
    .insertInto('delivery_attempts')
    .values([
      { delivery_id: id, number: 1, milliseconds: 15_003, error: 'The operation timed out' },
      { delivery_id: id, number: 2, milliseconds: 84, status_code: 204 },
    ])
    .execute();
  return id;
}

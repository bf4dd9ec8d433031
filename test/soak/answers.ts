import { z } from 'zod';
import type { Customer } from './customer.js';
import type { BatchAnswer, RecordAnswer } from './judge/evidence.js';

/** Property of the analysis that says whether a call was a success. */
export const successProperty = 'agreed';

const Record = z.looseObject({
  recordId: z.string(),
  callId: z.string(),
  phoneNumber: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  attempts: z.number(),
  success: z.boolean().optional(),
  notBefore: z.iso.datetime().optional(),
  priority: z.number().optional(),
  metadata: z.looseObject({ name: z.string().optional() }),
});
const Records = z.looseObject({ pageInfo: z.looseObject({ lastPage: z.number() }), data: z.array(Record) });
const Batch = z.looseObject({
  status: z.string(),
  paused: z.boolean(),
  open: z.boolean(),
  completedAt: z.iso.datetime().optional(),
  stoppedBy: z.string().optional(),
  callingWindow: z.unknown().optional(),
  maxConcurrentCalls: z.number().optional(),
  recordsUploaded: z.number(),
  waitingFor: z.string(),
  counts: z.record(z.string(), z.number()),
  cost: z.looseObject({ amount: z.number().nullable() }).optional(),
});
const Stats = z.looseObject({ total: z.number(), attempts: z.number() });
const Call = z.looseObject({
  data: z.looseObject({
    id: z.string(),
    to: z.string(),
    status: z.string(),
    reason: z.string().optional(),
    attempts: z.array(z.unknown()),
  }),
});

/** The id that the ledger has for the call that the API calls `call_…`. */
export const ledgerId = (callId: string): string => callId.replace(/^call_/, '');

export const readBatch = async (customer: Customer, batchId: string): Promise<z.infer<typeof Batch>> =>
  Batch.parse((await customer.ask({ method: 'GET', path: `/v1/batch-calls/${batchId}` })).body);

const recordAnswer = ({
  callId,
  phoneNumber,
  status,
  reason,
  attempts,
  success,
  ...rest
}: z.infer<typeof Record>): RecordAnswer => ({
  ...{ callId: ledgerId(callId), phoneNumber, status, reason, attempts, success },
  wishes: {
    notBeforeMs: rest.notBefore === undefined ? null : Date.parse(rest.notBefore),
    priority: rest.priority ?? null,
    name: rest.metadata.name ?? null,
  },
});

/** The first records of a batch with one of these statuses. */
export async function someRecords(
  customer: Customer,
  batchId: string,
  statuses: string,
): Promise<z.infer<typeof Record>[]> {
  const path = `/v1/batch-calls/${batchId}/records?perPage=50&status=${statuses}`;
  return Records.parse((await customer.ask({ method: 'GET', path })).body).data;
}

const Found = z.looseObject({ pageInfo: z.looseObject({ total: z.number() }) });

/** How many records of a batch are a success. */
export async function countSuccesses(customer: Customer, batchId: string): Promise<number> {
  const path = `/v1/batch-calls/${batchId}/records?perPage=1&analysis.${successProperty}=true`;
  return Found.parse((await customer.ask({ method: 'GET', path })).body).pageInfo.total;
}

/** Everything that the API says of a batch that has ended. */
export async function readEnd(customer: Customer, batchId: string): Promise<BatchAnswer> {
  const path = `/v1/batch-calls/${batchId}`;
  const batch = await readBatch(customer, batchId);
  const stats = Stats.parse((await customer.ask({ method: 'GET', path: `${path}/stats` })).body);
  const records: RecordAnswer[] = [];
  for (let page = 1, lastPage = 1; page <= lastPage; page++) {
    const query = `perPage=100&page=${page}`;
    const { pageInfo, data } = Records.parse(
      (await customer.ask({ method: 'GET', path: `${path}/records?${query}` })).body,
    );
    lastPage = pageInfo.lastPage;
    records.push(...data.map(recordAnswer));
  }
  const { status, recordsUploaded, counts, completedAt, stoppedBy, cost } = batch;
  const completedAtMs = completedAt === undefined ? Infinity : Date.parse(completedAt);
  return {
    status,
    completedAtMs,
    stoppedBy,
    recordsUploaded,
    counts,
    cost: cost?.amount ?? undefined,
    statsTotal: stats.total,
    statsAttempts: stats.attempts,
    records,
  };
}

export async function readCall(customer: Customer, callId: string): Promise<RecordAnswer> {
  const { data: call } = Call.parse((await customer.ask({ method: 'GET', path: `/v2/sip/call/${callId}` })).body);
  const { id, to: phoneNumber, status, reason, attempts } = call;
  return { callId: ledgerId(id), phoneNumber, status, reason, attempts: attempts.length };
}

import { listAuditEntries } from '../../db/queries/accounts/audit-log.js';
import { countsOf, findBatchStats } from '../../db/queries/batches/batches.js';
import { listBatchCalls, type BatchFilter } from '../../db/queries/batches/list.js';
import { allRecords, type RecordFilter } from '../../db/queries/batches/record-filter.js';
import { listRecords } from '../../db/queries/batches/records.js';
import { fileOrder, type RecordOrder } from '../../domain/batch/record-order.js';
import { totalOf } from '../../domain/batch/batch-call.js';
import type { CallFilter } from '../../db/queries/calls/filter.js';
import { type CallPlace, listCalls } from '../../db/queries/calls/list.js';
import { findCall } from '../../db/queries/calls/calls.js';
import { findContactFacts, listCallsOfContact } from '../../db/queries/accounts/contacts.js';
import { listDoNotCall } from '../../db/queries/accounts/do-not-call.js';
import { listDeliveriesOfBatch } from '../../db/queries/webhooks/deliveries-list.js';
import type { Probe, Side } from './alternate.js';
import type { Tenant } from './tenants.js';

const firstPage = { offset: 0, limit: 20 };
const page1000 = { offset: 19_980, limit: 20 };
const dayMs = 86_400_000;

const calls = (
  name: string,
  accountId: string,
  filter: (side: Side) => Partial<CallFilter>,
  page = firstPage,
): Probe => ({
  name: `calls, ${name}`,
  run: (side) => listCalls(side.db, accountId, { statuses: [], search: '', ...filter(side) }, page),
});

const batches = (name: string, accountId: string, filter: Partial<BatchFilter>): Probe => ({
  name: `batches, ${name}`,
  run: ({ db }) =>
    listBatchCalls(
      db,
      accountId,
      { statuses: [], search: '', createdFrom: null, createdUntil: null, ...filter },
      firstPage,
    ),
});

/** The page that the account's thousandth cursor leads to. */
function page1000ByCursor(accountId: string): Probe {
  const places = new Map<Side, CallPlace | null>();
  const all = { statuses: [], search: '' };
  return {
    name: 'calls, all, page 1,000 by cursor',
    run: async (side) => {
      const known = places.get(side);
      const after = known ?? (await listCalls(side.db, accountId, all, { offset: 19_979, limit: 1 })).next;
      places.set(side, after);
      const counted = { rows: 20_000, isEstimate: true };
      await listCalls(side.db, accountId, all, { ...page1000, after: after ?? undefined, counted });
    },
  };
}

/** Every list of calls with each of its filters. */
function callProbes({ accountId, lines }: Tenant, small: Tenant): Probe[] {
  const [seldom, single, common] = lines;
  const yesterday = new Date(Date.now() - 2 * dayMs);
  return [
    calls('all', accountId, () => ({})),
    calls('all, page 1,000', accountId, () => ({}), page1000),
    page1000ByCursor(accountId),
    calls('of a small account', small.accountId, () => ({})),
    calls('by id', accountId, ({ callId }) => ({ ids: [callId] })),
    calls('of a batch', accountId, ({ batchId }) => ({ batchId })),
    calls('of a batch by status', accountId, ({ batchId }) => ({ batchId, statuses: ['rejected'] })),
    calls('by gateway', accountId, () => ({ gatewayId: common?.gatewayId })),
    calls('by gateway, page 1,000', accountId, () => ({ gatewayId: common?.gatewayId }), page1000),
    calls('by gateway used long ago', accountId, () => ({ gatewayId: seldom?.gatewayId })),
    calls('by rule', accountId, () => ({ ruleId: common?.ruleId })),
    calls('by rule used long ago', accountId, () => ({ ruleId: seldom?.ruleId })),
    calls('of an agent', accountId, () => ({ agentId: common?.agentId })),
    calls('of an agent by status', accountId, () => ({ agentId: common?.agentId, statuses: ['abandoned'] })),
    calls('by room of a rule', accountId, () => ({ roomId: single?.room ?? undefined })),
    calls('by room of a call', accountId, ({ callId }) => ({ roomId: `call_${callId}_1_1`, roomCallId: callId })),
    calls('by room asked for', accountId, () => ({ roomId: 'lobby' })),
    calls('by room that none had', accountId, () => ({ roomId: 'nowhere' })),
    calls('inbound', accountId, () => ({ type: 'inbound' })),
    calls('outbound', accountId, () => ({ type: 'outbound' })),
    calls('ended', accountId, () => ({ statuses: ['ended'] })),
    calls('ended, page 1,000', accountId, () => ({ statuses: ['ended'] }), page1000),
    calls('abandoned', accountId, () => ({ statuses: ['abandoned'] })),
    calls('ringing (none)', accountId, () => ({ statuses: ['ringing'] })),
    calls('by two statuses', accountId, () => ({ statuses: ['rejected', 'missed'] })),
    calls('by gateway and status', accountId, () => ({ gatewayId: common?.gatewayId, statuses: ['abandoned'] })),
    calls('search: a number', accountId, ({ callee }) => ({ search: callee })),
    calls('search: last 7 digits', accountId, ({ callee }) => ({ search: callee.slice(-7) })),
    calls('search: 4 digits', accountId, ({ callee }) => ({ search: callee.slice(-4) })),
    calls('search: own number', accountId, () => ({ search: common?.number ?? '' })),
    calls('search: own number used long ago', accountId, () => ({ search: seldom?.number ?? '' })),
    calls('search: nothing found', accountId, () => ({ search: '+4915200000' })),
    calls('that talked for a minute or two', accountId, () => ({ talk: { least: 60, most: 120 } })),
    calls('that talked for more than an hour', accountId, () => ({ talk: { least: 3_601 } })),
    calls('that talked at all, page 1,000', accountId, () => ({ talk: {} }), page1000),
    calls('of an agent that talked for more than an hour', accountId, () => ({
      agentId: common?.agentId,
      talk: { least: 3_601 },
    })),
    calls('recorded', accountId, () => ({ isRecorded: true })),
    calls('recorded, page 1,000', accountId, () => ({ isRecorded: true }), page1000),
    calls('recorded, of an agent', accountId, () => ({ isRecorded: true, agentId: common?.agentId })),
    calls('recorded, of a batch', accountId, ({ batchId }) => ({ isRecorded: true, batchId })),
    calls('not recorded', accountId, () => ({ isRecorded: false })),
    calls('of two days', accountId, () => ({ createdFrom: yesterday })),
    calls('of two days by status', accountId, () => ({ createdFrom: yesterday, statuses: ['abandoned'] })),
  ];
}

/** Every other list whose rows grow with the years. */
function otherProbes({ accountId }: Tenant): Probe[] {
  const records = (
    name: string,
    filter: Partial<RecordFilter>,
    order: RecordOrder = fileOrder,
    page = firstPage,
  ): Probe => ({
    name: `records of a batch${name}`,
    run: async ({ db, batchId }) => {
      const all = { ...allRecords(accountId, batchId), ...filter };
      const stats = Object.keys(filter).length === 0 ? await findBatchStats(db, accountId, batchId) : null;
      await listRecords(db, all, order, page, stats === null ? null : totalOf(countsOf(stats)));
    },
  });
  return [
    records('', {}),
    records(' by status', { statuses: ['rejected'] }),
    records(' by a reason that none has', { reasons: ['lost'] }),
    records(' by who answered', { answeredBy: ['human'] }),
    records(' by attempts', { attempts: [2] }),
    records(' by code', { sipStatusCodes: [486] }),
    records(' by what was found out', { analysis: [{ field: 'kept', value: 'true' }] }),
    records(', longest first', {}, { by: 'callDuration', descending: true }),
    records(', by number, page 100', {}, { by: 'phoneNumber', descending: false }, { offset: 1_980, limit: 20 }),
    records(', search', { search: 'Asha 12' }),
    { name: 'a call', run: ({ db, callId }) => findCall(db, accountId, callId) },
    {
      name: 'contact',
      run: async ({ db, callee }) => {
        await findContactFacts(db, accountId, callee);
        await listCallsOfContact(db, accountId, callee, firstPage);
      },
    },
    batches('all', accountId, {}),
    batches('running', accountId, { statuses: ['running'] }),
    batches('search', accountId, { search: 'Batch 77' }),
    { name: 'audit log', run: ({ db }) => listAuditEntries(db, accountId, { actions: [] }, firstPage) },
    {
      name: 'audit log by action',
      run: ({ db }) => listAuditEntries(db, accountId, { actions: ['batch-call'] }, firstPage),
    },
    { name: 'do-not-call list', run: ({ db }) => listDoNotCall(db, accountId, '', firstPage) },
    {
      name: 'webhook deliveries of a batch',
      run: ({ db, batchId }) => listDeliveriesOfBatch(db, accountId, batchId, firstPage),
    },
  ];
}

export const listProbes = (tenant: Tenant, small: Tenant): readonly Probe[] => [
  ...callProbes(tenant, small),
  ...otherProbes(tenant),
];

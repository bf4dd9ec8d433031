import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCalls } from '../../../db/queries/calls/list.js';
import { historyTestEnv, blocksRead, type HistoryTestEnv } from './history.js';

let testEnv: HistoryTestEnv;
beforeAll(async () => {
  testEnv = await historyTestEnv(40_000);
});
afterAll(() => testEnv.close());

test.each([
  ['all calls', () => ({})],
  ['the calls of a gateway', () => ({ gatewayId: testEnv.tenant.gatewayId })],
  ['the calls of a rule', () => ({ ruleId: testEnv.tenant.ruleId })],
  [
    'the calls of a rule that ended in one way',
    () => ({ ruleId: testEnv.tenant.ruleId, statuses: ['ended'] as const }),
  ],
  [
    'the calls of a gateway that ended in one way',
    () => ({ gatewayId: testEnv.tenant.gatewayId, statuses: ['ended'] as const }),
  ],
  ['calls that talked so long', () => ({ talk: { least: 31, most: 300 } })],
  ['calls that ended in one way', () => ({ statuses: ['ended'] as const })],
])('page 500 of %s, and their total, come from an index and not from the calls before them', async (_what, chosen) => {
  const { database, tenant } = testEnv;
  const filter = { statuses: [], search: '', ...chosen() };
  const blocks = await blocksRead(database, ['calls'], () =>
    listCalls(database.db, tenant.accountId, filter, { offset: 9_980, limit: 20 }),
  );

  // Reading a call takes a block: skipping or counting 10,000 of them so would take as many.
  expect(blocks).toBeLessThan(2_000);
});

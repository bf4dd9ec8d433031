import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCalls } from '../../../db/queries/calls/list.js';
import { aHistoricWorld, blocksRead, type HistoricWorld } from './history.js';

let world: HistoricWorld;
beforeAll(async () => {
  world = await aHistoricWorld(40_000);
});
afterAll(() => world.close());

test.each([
  ['all calls', () => ({})],
  ['the calls of a gateway', () => ({ gatewayId: world.tenant.gatewayId })],
  ['the calls of a rule', () => ({ ruleId: world.tenant.ruleId })],
  ['the calls of a rule that ended in one way', () => ({ ruleId: world.tenant.ruleId, statuses: ['ended'] as const })],
  [
    'the calls of a gateway that ended in one way',
    () => ({ gatewayId: world.tenant.gatewayId, statuses: ['ended'] as const }),
  ],
  ['calls that ended in one way', () => ({ statuses: ['ended'] as const })],
])('page 500 of %s, and their total, come from an index and not from the calls before them', async (_what, chosen) => {
  const { database, tenant } = world;
  const filter = { statuses: [], search: '', ...chosen() };
  const blocks = await blocksRead(database, ['calls'], () =>
    listCalls(database.db, tenant.accountId, filter, { offset: 9_980, limit: 20 }),
  );

  // Reading a call takes a block: skipping or counting 10,000 of them so would take as many.
  expect(blocks).toBeLessThan(2_000);
});

import { describe, expect, test } from 'vitest';
import { cancellableStatuses } from '../../../../domain/batch/batch-call.js';
import { rowsOf } from '../../support-resources.js';
import { api, here } from '../../support.js';
import { aBatchOf } from '../support-records.js';
import { type Route, stored } from '../support.js';

describe('400', () => {
  const aMissed = () => aBatchOf([{ phoneNumber: '+919877500001', status: 'missed' }]);

  const refused = async (batchId: string, body: unknown, words: string) => {
    const before = await stored();
    const response = await api.post(`/v1/batch-calls/${batchId}/retry`, body);
    expect([response.status, response.body]).toEqual([400, { error: expect.stringContaining(words) as unknown }]);
    expect(await stored()).toEqual(before);
  };

  test.each([
    ['an unknown status', { statuses: ['answered'] }, 'statuses[0]'],
    ['no status', { statuses: [] }, 'statuses: must have at least 1 entry'],
    ['a status twice', { statuses: ['missed', 'missed'] }, 'statuses: must not name a status twice'],
    ['a blank name', { name: ' ' }, 'name: must not be blank'],
    ['an unknown field', { status: 'missed' }, 'status'],
  ])('%s is refused', async (_what, body, words) => refused((await aMissed()).batchId, body, words));

  test('a batch with no such end has nothing to retry', async () =>
    refused((await aMissed()).batchId, { statuses: ['rejected'] }, 'No number'));

  test('a batch whose numbers may not be called again has nothing to retry', async () => {
    const { batchId } = await aBatchOf([
      { phoneNumber: '+919877500002', status: 'failed', permanent: true },
      { phoneNumber: '+919877500003', status: 'missed' },
    ]);
    await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [here().me.account.id, '+919877500003']);
    await refused(batchId, {}, 'No number');
  });

  test.each<[string, string, (route: Route) => Promise<unknown>]>([
    [
      'agent',
      'not active',
      ({ agentId }) => rowsOf(`update agents set status = 'inactive', deployment_id = null where id = $1`, [agentId]),
    ],
    [
      'gateway',
      'no outbound gateway',
      ({ phoneNumberId }) => rowsOf('delete from number_gateways where number_id = $1', [phoneNumberId]),
    ],
    [
      'number',
      'Phone number not found',
      async ({ phoneNumberId }) => {
        for (const table of ['number_gateways', 'rule_numbers'])
          await rowsOf(`delete from ${table} where number_id = $1`, [phoneNumberId]);
        await rowsOf('delete from phone_numbers where id = $1', [phoneNumberId]);
      },
    ],
    [
      'rule',
      'Routing rule not found',
      async ({ ruleId }) => {
        await rowsOf('delete from rule_numbers where rule_id = $1', [ruleId]);
        await rowsOf('delete from routing_rules where id = $1', [ruleId]);
      },
    ],
  ])('a batch whose %s cannot be used any more is not retried', async (_what, words, takeAway) => {
    const { batchId, route } = await aMissed();
    await takeAway(route);
    await refused(batchId, {}, words);
  });
});

describe('409', () => {
  const refused = async (batchId: string) => {
    const response = await api.post(`/v1/batch-calls/${batchId}/retry`);
    expect([response.status, response.body]).toEqual([409, { error: expect.any(String) as unknown }]);
  };

  // shows: batches.retry.finished
  test.each(cancellableStatuses.filter((status) => status !== 'parsing'))(
    'a batch that is %s is not retried',
    async (status) =>
      refused((await aBatchOf([{ phoneNumber: '+919877600001', status: 'missed' }], { status })).batchId),
  );

  test('a batch whose data has been deleted, because its time was over, is not retried', async () => {
    const { batchId } = await aBatchOf([{ phoneNumber: '+919877600002', status: 'missed' }]);
    await rowsOf('update batches set purged_at = now() where id = $1', [batchId]);
    await refused(batchId);
  });
});

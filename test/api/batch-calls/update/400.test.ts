import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aBatch } from '../support.js';

test.each([
  ['a blank name', { name: ' ' }, 'name: must not be blank'],
  ['a name too long', { name: 'n'.repeat(257) }, 'name: must have at most 256 characters'],
  ['a description too long', { description: 'd'.repeat(1001) }, 'description: must have at most 1000 characters'],
  ['a bad time', { schedule: { date: '2027-03-01', time: '9:30' } }, 'schedule.time: bad time format'],
  ['a past start', { schedule: { date: '2020-03-01', time: '09:30' } }, 'schedule.date: is in the past'],
  [
    'a time that the clocks skip',
    { schedule: { date: '2027-03-28', time: '02:30', timezone: 'Europe/Berlin' } },
    'schedule.time: does not exist',
  ],
  [
    'an unknown retryOn',
    { retry: { retryOn: ['busy'], retryDelays: [60] } },
    'retry.retryOn[0]: invalid retryOn value',
  ],
  ['six retries', { retry: { retryOn: ['missed'], retryDelays: [1, 2, 3, 4, 5, 6] } }, 'at most 5 delays'],
  [
    'retries that contradict themselves',
    { retry: { enabled: false, retryOn: ['missed'], retryDelays: [60] } },
    'retry',
  ],
  ['a window without an end', { callingWindow: { from: '09:00' } }, 'callingWindow.until: is required'],
  ['no call at a time', { maxConcurrentCalls: 0 }, 'maxConcurrentCalls: must be at least 1'],
  ['a text for a number', { maxConcurrentCalls: '5' }, 'maxConcurrentCalls: must be a number'],
  ['an unknown field', { names: 'A' }, 'names: is not a known field'],
  ['another number to call from', { phoneNumber: '+14155550199' }, 'phoneNumber: cannot be changed'],
  ['two names', { name: 'One', batchName: 'Two' }, 'batchName: must be the same as name'],
  ['a webhook', { webhook: { endpoint: 'https://example.com', events: ['batchcall-started'] } }, 'webhook'],
])('%s is refused, and nothing is changed', async (_what, body, words) => {
  const { batchId } = await aBatch({ status: 'scheduled' });
  const before = (await api.get(`/v1/batch-calls/${batchId}`)).body;
  const response = await api.patch(`/v1/batch-calls/${batchId}`, {
    ...body,
    description: (body as { description?: string }).description ?? 'New',
  });
  expect([response.status, response.body]).toEqual([400, { error: expect.stringContaining(words) as unknown }]);
  expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toEqual(before);
});

test('everything that is wrong is answered together', async () => {
  const { batchId } = await aBatch();
  const body = { name: '', schedule: { date: '2020-01-01', time: '10:00' }, maxConcurrentCalls: 0 };
  const response = await api.patch(`/v1/batch-calls/${batchId}`, body);
  const { error } = response.body as { error: string };
  for (const path of ['name: ', 'schedule.date: ', 'maxConcurrentCalls: ']) expect(error).toContain(path);
});

import { describe, expect, test } from 'vitest';
import { collectContacts } from './collect-contacts.js';

const good = '+919877012345';

describe('columns that say when a row is called', () => {
  // shows: recipients.columns
  test('priority and not_before are read, and stay in the metadata', async () => {
    const { recipients } = await collectContacts(
      `phone_number,priority,not_before\n${good},1,2027-03-01T09:30:00+05:30\n+919877012346,,\n+919877012347,high,`,
    );
    expect(recipients).toMatchObject([
      { priority: 1, notBefore: '2027-03-01T04:00:00.000Z', metadataJson: expect.stringContaining('"priority":"1"') },
      { phoneNumber: '+919877012346' },
      { phoneNumber: '+919877012347' },
    ]);
    expect(recipients.slice(1).map(({ priority, notBefore }) => [priority, notBefore])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test.each([
    '2027-03-01',
    '2027-03-01T09:30',
    'tomorrow',
    '2027-13-01T09:30Z',
    '2027-02-29T09:30Z',
    '2027-04-31T09:30+05:45',
  ])('a row whose not_before is %j is rejected: it would be called too early', async (notBefore) => {
    const { rejected } = await collectContacts(
      `phone_number,not_before\n${good},${notBefore}\n+919877012346,2027-03-01T09:30Z`,
    );
    expect(rejected).toMatchObject([{ row: 2, reason: 'invalid_not_before' }]);
  });
});
